// Units of times and sizes.
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

const one = new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: 1, maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 0 })

export const unitWords = translated('units', {
  justNow: 'just now',
  milliseconds: (number: number) => `${whole.format(number)} ms`,
  seconds: (number: number) => `${whole.format(number)} s`,
  minutes: (number: number) => `${whole.format(number)} min`,
  hours: (number: number) => `${whole.format(number)} h`,
  /** With one decimal, or none. */
  size: (number: number, unit: 'B' | 'KiB' | 'MiB' | 'GiB' | 'TiB', isWhole: boolean) =>
    `${(isWhole ? whole : one).format(number)} ${unit}`,
} as const)
