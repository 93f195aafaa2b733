/** "1,234". Without `Intl`, whose data takes longer to load than most programs have work. */
export function grouped(number: number): string {
  if (!Number.isSafeInteger(number)) return number.toLocaleString('en-US')
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
