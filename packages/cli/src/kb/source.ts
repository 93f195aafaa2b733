// A source of the knowledge base by its name or its id.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

export const listSources = 'List the sources with tandem kb list.'
export const oneSource = `specify one source by its name or id. ${listSources}`

export async function findSource(client: Pick<RuntimeClient, 'call'>, wanted: string): Promise<CommandAnswer<KnowledgeSource>> {
  const all = await everySource(client)
  if (!all.ok) return all
  // Names are unique.
  const found = all.value.find(({ source_id }) => source_id === wanted) ?? all.value.find(({ name }) => name === wanted)
  if (found) return { ok: true, value: found }
  return { ok: false, error: { code: 'not_found', message: `no source is named ${wanted}`, remedy: listSources } }
}

export async function everySource(client: Pick<RuntimeClient, 'call'>): Promise<CommandAnswer<KnowledgeSource[]>> {
  const all: KnowledgeSource[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: KnowledgeSource[]; next_cursor: string | null }> = await client.call('kb_list', {
      limit: 200,
      ...(cursor === null ? {} : { cursor }),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor !== null)
  return { ok: true, value: all }
}

/** For a command that the user can copy: the name, or the id if a shell would change the name. */
export function sourceWord({ name, source_id }: Pick<KnowledgeSource, 'name' | 'source_id'>): string {
  return /^[\w./][\w./-]*$/.test(name) ? name : source_id
}
