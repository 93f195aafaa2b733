// Reads all pages of a list.
import type { CommandName, CommandParams, CommandResult, LocalRun } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { RunStep } from '@tandem/contract/run'
import type { CallResult, Channel } from '../connection/channel.ts'

export type ListName = {
  [Name in CommandName]: CommandResult<Name> extends { items: unknown[]; next_cursor: string | null } ? Name : never
}[CommandName]
export type ItemOf<Name extends ListName> = CommandResult<Name> extends { items: (infer Item)[] } ? Item : never

export interface CompleteList<Item> {
  readonly items: readonly Item[]
  /** Where the last page began: later additions are read from there. */
  readonly from: string | null
  /** Whether it goes on after `most`. */
  readonly hasMore: boolean
}

export async function readAll<Name extends ListName>(
  channel: Channel,
  name: Name,
  params: CommandParams<Name>,
  begin: { readonly from?: string | null; readonly most?: number } = {},
): Promise<CallResult<CompleteList<ItemOf<Name>>>> {
  const items: ItemOf<Name>[] = []
  let from = begin.from ?? null
  for (;;) {
    const page = { ...params, limit: limits.list, ...(from === null ? {} : { cursor: from }) } as CommandParams<Name>
    const answer = await channel.call(name, page)
    if (!answer.ok) return answer
    const { items: more, next_cursor } = answer.value as { items: ItemOf<Name>[]; next_cursor: string | null }
    items.push(...more)
    if (next_cursor === null || items.length >= (begin.most ?? Number.POSITIVE_INFINITY))
      return { ok: true, value: { items, from, hasMore: next_cursor !== null } }
    from = next_cursor
  }
}

/** The first items of a list: as many pages as that takes, since a page may be filtered after it was read. */
export async function readFirst<Name extends ListName>(
  channel: Pick<Channel, 'call'>,
  name: Name,
  params: CommandParams<Name>,
  { size, count }: { readonly size: number; readonly count: number },
): Promise<CallResult<{ readonly items: readonly ItemOf<Name>[]; readonly hasMore: boolean }>> {
  const items: ItemOf<Name>[] = []
  let cursor: string | null = null
  do {
    const page = { ...params, limit: size, ...(cursor === null ? {} : { cursor }) } as CommandParams<Name>
    const answer: CallResult<CommandResult<Name>> = await channel.call(name, page)
    if (!answer.ok) return answer
    const read = answer.value as { items: ItemOf<Name>[]; next_cursor: string | null }
    items.push(...read.items)
    cursor = read.next_cursor
  } while (cursor !== null && items.length < count)
  return { ok: true, value: { items, hasMore: cursor !== null } }
}

/** Those of the named runs that are not known yet: a run that waits for the user is shown, however old it is. */
export async function readRuns(
  channel: Channel,
  named: readonly { readonly run_id: string }[],
  known: Iterable<string>,
): Promise<LocalRun[]> {
  const missing = new Set(named.map(({ run_id }) => run_id)).difference(new Set(known))
  const answers = await Promise.all([...missing].map((run_id) => channel.call('agent_run_get', { run_id })))
  return answers.flatMap((answer) => (answer.ok ? [answer.value.run] : []))
}

/** How many pages are requested at once: a short run needs one, and a long run is not read page by page. */
const first = 1
const most = 24

/** Steps are numbered without gaps, so the next pages can be requested before the first has arrived. */
export async function readSteps(channel: Channel, run_id: string, after_seq: number): Promise<CallResult<readonly RunStep[]>> {
  const steps: RunStep[] = []
  let after = after_seq
  let few = first
  for (;;) {
    const pages = await Promise.all(
      Array.from({ length: few }, (_, page) =>
        channel.call('agent_run_list_steps', { run_id, after_seq: after + page * limits.list, limit: limits.list }),
      ),
    )
    for (const page of pages) {
      if (!page.ok) return page
      steps.push(...page.value.items)
    }
    if (lastOf(pages).length < limits.list) return { ok: true, value: steps }
    after += few * limits.list
    few = Math.min(most, few * 8)
  }
}

function lastOf(pages: readonly CallResult<CommandResult<'agent_run_list_steps'>>[]): readonly RunStep[] {
  const last = pages.at(-1)
  return last?.ok ? last.value.items : []
}
