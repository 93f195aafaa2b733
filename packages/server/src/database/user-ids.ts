import type { Sql } from 'postgres'

/** The users with rows in a table whose key starts with user_id, by one index lookup each. Used by retention. Stops on `signal`. */
export async function* usersIn(owner: Sql, table: string, signal?: AbortSignal): AsyncGenerator<string> {
  let last = '00000000-0000-0000-0000-000000000000'
  while (!signal?.aborted) {
    const [next] = await owner<{ user_id: string }[]>`
      select user_id from ${owner(table)} where user_id > ${last} order by user_id limit 1`
    if (!next) return
    last = next.user_id
    yield next.user_id
  }
}
