/**
 * Whether a text may hold a secret of a form that find-secrets.ts knows: every such form has one of these beginnings. Some
 * hundred times as fast as looking closely; whoever gets a yes looks closely. A test holds a secret of each form against it.
 */
export function mayHoldSecret(text: string): boolean {
  return beginnings.test(text);
}

const beginnings = new RegExp(
  [
    "(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)",
    "-----BEGIN",
    "x-oauth-basic",
    "npm_[A-Za-z0-9_]{36}",
    "x(?:ox[bpaor]|app)-",
    "[Hh][Oo][Oo][Kk][Ss]\\.[Ss][Ll][Aa][Cc][Kk]\\.",
    "://[-a-zA-Z0-9_]+:[-a-zA-Z0-9_]+@",
    "sk-(?:ant-|proj-|svcacct-|admin-|[a-zA-Z0-9]{20}T3)",
    "gsk_[a-zA-Z0-9]{52}",
    "hf_[a-zA-Z]{34}",
    "lin_api_",
    "ntn_\\d{11}",
    "SG\\.\\w+\\.\\w",
    "shp(?:pa|ca|at|ss)_",
    "gh[pousr]_[A-Za-z0-9_]{36}",
    "github_pat_",
    "glpat-",
    "gl(?:c|sa)_",
    "ops_ey",
    "[Mm][Oo][Nn][Gg][Oo][Dd][Bb](?:\\+\\w+)?://",
    "[Mm][Yy][Ss][Qq][Ll][Xx]?://",
    "[Pp][Oo][Ss][Tt][Gg][Rr][Ee][Ss](?:\\w+)?://",
    "hv[sbr]\\.[A-Za-z0-9_-]{90}",
    "vc[piark]_[A-Za-z0-9]{20}",
    "dapi[A-Fa-f0-9]{32}",
    "dckr_pat_",
    "figd_",
  ].join("|"),
);
