const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** A date as people name it, so that a question about a month or a weekday finds what was said then. */
export function dateWords(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const [day, month, year] = [date.getUTCDate(), date.getUTCMonth(), date.getUTCFullYear()]
  return `${day} ${months[month]} ${year} ${days[date.getUTCDay()]}`
}
