export function findChromium(env?: Record<string, string | undefined>): string | undefined;
export function findOrInstallChromium(env?: Readonly<Record<string, string | undefined>>): string | undefined;
