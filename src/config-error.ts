/** The operator can fix it. The message lists every error in the environment. */
export class ConfigError extends Error {}
