/** Who may ask this server, and by which name. */
export interface Access {
  /** As a browser asks for it: `http://127.0.0.1:4747`. */
  origin: string;
  /** What `Host` must say, exactly. */
  host: string;
  tokens: Tokens;
  browsers: Browsers;
}

export interface Tokens {
  /** Whether it is the token of this server, or a code that was given out once and not used. */
  admits(token: string): boolean;
  /** For one address that is opened at once: a command line can be read by others, so it must not hold the token. */
  giveCode(): string;
}

/** The browsers that were let in. They stay so when the server is started anew. */
export interface Browsers {
  /** The name of the cookie: cookies of one host are shared by all its ports. */
  cookieName: string;
  /** Lets one more in: the value of its cookie. */
  admit(): string;
  knows(cookie: string): boolean;
  forget(cookie: string): void;
}
