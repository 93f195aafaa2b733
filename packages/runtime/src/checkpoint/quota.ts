// How much disk space checkpoints may use: set by the environment, or five gigabytes.

export const quotaSetting = 'TANDEM_CHECKPOINT_QUOTA_GB'

const gigabyte = 1024 ** 3
export const defaultQuota = 5 * gigabyte

export function quotaOf(environment: Readonly<Record<string, string | undefined>>): number {
  const said = Number(environment[quotaSetting])
  return Number.isFinite(said) && said > 0 ? Math.round(said * gigabyte) : defaultQuota
}
