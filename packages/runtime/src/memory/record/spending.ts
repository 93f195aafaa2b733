// Tokens that memory used in the background, per day of this device.
import type { Store } from '../../store/store.ts'

export interface Spending {
  today(): number
  add(tokens: number): void
}

const keptDays = 31

export function openSpending({ sql, clock }: Pick<Store, 'sql' | 'clock'>): Spending {
  const day = () => {
    const now = new Date(clock.now())
    const pad = (number: number) => String(number).padStart(2, '0')
    return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
  }
  return {
    today: () => sql.get<{ tokens: number }>`SELECT tokens FROM memory_spending WHERE day = ${day()}`?.tokens ?? 0,
    add(tokens) {
      sql.run`
        INSERT INTO memory_spending (day, tokens) VALUES (${day()}, ${tokens})
        ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens`
      sql.run`
        DELETE FROM memory_spending WHERE day NOT IN (SELECT day FROM memory_spending ORDER BY day DESC LIMIT ${keptDays})`
    },
  }
}
