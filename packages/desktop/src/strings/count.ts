import { pluralForm } from '../language/plural.ts'
import { locale } from './locale.ts'

// Kept: `toLocaleString` creates a formatter for every number.
const format = new Intl.NumberFormat(locale)

/** Such as `1 file` and `1,200 files`. */
export function count(number: number, one: string, other: string): string {
  return `${format.format(number)} ${pluralForm('en', number, { one, other })}`
}
