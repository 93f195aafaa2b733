// Human-readable sizes.
import { unitWords } from '../strings/units.ts'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** step
  return unitWords.size(value, units[step] ?? 'B', step === 0 || value >= 100)
}
