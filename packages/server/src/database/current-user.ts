// Who a transaction acts as. `set local` and not `set_config()`: Citus forwards only the statement to its workers, where policies read it.
import type { TransactionSql } from 'postgres'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/**
 * Restricts the transaction to the rows of this user. Sent immediately, so that statements issued before it completes run after it.
 * `set` takes no parameters: only a UUID may become part of its text.
 */
export async function setCurrentUser(sql: TransactionSql, userId: string): Promise<void> {
  await sql.unsafe(userText(userId)).execute()
}

export function userText(userId: string): string {
  if (!isUuid(userId)) throw new Error('a user is set by a UUID in lower case')
  return `set local app.user_id = '${userId}'`
}
