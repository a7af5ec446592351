import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets.ts";
import { mayHoldSecret } from "./may-hold-secret.ts";

// Made up, and put together here, so that nobody who searches this file for secrets finds any.
const letters = (length: number): string => "aB3dE5gH7jK9mN1pQ".repeat(20).slice(0, length);
const secrets: Record<string, string> = {
  awsSecret: `aws_secret_access_key = "${letters(40)}"`,
  privateKey: `-----BEGIN RSA PRIVATE KEY-----\nMII${letters(200)}\n-----END RSA PRIVATE KEY-----`,
  oauth: `https://${letters(20)}:x-oauth-basic@github.com/`,
  npm: `npm_${letters(36)}`,
  slack: `xoxb-123456789012-123456789012-${letters(24)}`,
  slackHook: `${["https:", "", "hooks.slack.com"].join("/")}/services/T${letters(8)}/B${letters(8)}/${letters(24)}`,
  basicAuth: `https://somebody:hunter22@db.example.com`,
  openai: `sk-${letters(20)}T3BlbkFJ${letters(20)}`,
  anthropic: `sk-ant-api03-${letters(93)}AA`,
  groq: `gsk_${letters(52)}`,
  huggingface: `hf_${"abcDEFghiJ".repeat(4).slice(0, 34)}`,
  linear: `lin_api_${letters(40)}`,
  notion: `ntn_12345678901${letters(35)}`,
  sendgrid: `SG.${letters(22)}.${letters(43)}`,
  shopify: `shpat_${letters(32)}`,
  github: `ghp_${letters(36)}`,
  githubFine: `github_pat_${letters(82)}`,
  gitlab: `glpat-${letters(20)}`,
  grafana: `glsa_${letters(32)}_0a1b2c3d`,
  mongodb: `mongodb://user:secretpw@host.example/db`,
  mysql: `mysql://user:secretpw@host.example/db`,
  postgres: `postgresql://user:secretpw@host.example/db`,
  vault: `hvs.${letters(95)}`,
  vercel: `vcp_${letters(24)}`,
  databricks: `dapi${"0a1b2c3d4e5f6789".repeat(2)}`,
  docker: `dckr_pat_${letters(27)}`,
  figma: `figd_${letters(40)}`,
};

test.for(Object.entries(secrets))("mayHoldSecret() says yes to %s", async ([, secret]) => {
  const text = `before ${secret} after`;
  expect({ isFound: (await findSecrets(text)).length > 0, may: mayHoldSecret(text) }).toEqual({
    isFound: true,
    may: true,
  });
});

test("mayHoldSecret() says no to ordinary text and code", () => {
  const texts = [
    "The task-list asks whether a disk-full error is a risk-free one; see src/store/task-list.ts:12",
    'import { accountId } from "./account.ts"; const secret = await readSecret(name);',
    "https://example.com:8080/path@v2, message: MSG.id, npm_config_cache, postgres and mysql",
  ];
  expect(texts.filter(mayHoldSecret)).toEqual([]);
});
