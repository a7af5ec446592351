/**
 * Whether a text may hold a secret of a form that find-secrets.ts knows: every such form has one of these beginnings. Some
 * hundred times as fast as looking closely; whoever gets a yes looks closely. A test holds a secret of each form against it.
 */
export function mayHoldSecret(text: string): boolean {
  return beginnings.test(text) || plainBeginnings.some((pattern) => pattern.test(text));
}

// Each begins with a sign, and what stands before the sign is looked at only there: letters are passed over at once.
const beginnings = new RegExp(
  [
    "(?<=-)----BEGIN",
    "(?<=x)-oauth-basic",
    "(?<=x(?:ox[bpaor]|app))-",
    "(?<=sk)-(?:ant-|proj-|svcacct-|admin-|[a-zA-Z0-9]{20}T3)",
    "(?<=glpat)-",
    "(?<=npm)_[A-Za-z0-9_]{36}",
    "(?<=gsk)_[a-zA-Z0-9]{52}",
    "(?<=hf)_[a-zA-Z]{34}",
    "(?<=lin)_api_",
    "(?<=ntn)_\\d{11}",
    "(?<=shp(?:pa|ca|at|ss))_",
    "(?<=gh[pousr])_[A-Za-z0-9_]{36}",
    "(?<=github)_pat_",
    "(?<=gl(?:c|sa))_",
    "(?<=ops)_ey",
    "(?<=vc[piark])_[A-Za-z0-9]{20}",
    "(?<=dckr)_pat_",
    "(?<=figd)_",
    "(?<=SG)\\.\\w+\\.\\w",
    "(?<=hv[sbr])\\.[A-Za-z0-9_-]{90}",
    "(?<=[Hh][Oo][Oo][Kk][Ss])\\.[Ss][Ll][Aa][Cc][Kk]\\.",
    "://[-a-zA-Z0-9_]+:[-a-zA-Z0-9_]+@",
    "(?<=[Mm][Oo][Nn][Gg][Oo][Dd][Bb](?:\\+\\w+)?)://",
    "(?<=[Mm][Yy][Ss][Qq][Ll][Xx]?)://",
    "(?<=[Pp][Oo][Ss][Tt][Gg][Rr][Ee][Ss]\\w*)://",
  ].join("|"),
);

const plainBeginnings = [/(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)/, /dapi[A-Fa-f0-9]{32}/];
