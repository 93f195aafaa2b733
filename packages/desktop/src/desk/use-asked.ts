// What a page asks the runtime for, in the three states it can be in. While it is asked again the last answer stays.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer, CallError } from '../connection/channel.ts'
import { type ItemOf, type ListName, readAll } from './pages.ts'
import { useDesk, useWindow } from './use-desk.ts'

export type Asked<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: CallError }
  | { readonly state: 'ready'; readonly value: Value }

export interface Reading<Value> {
  readonly asked: Asked<Value>
  /** Ends when the answer is there. */
  again(): Promise<void>
}

interface When {
  /** Another one asks once more. */
  readonly version?: number | string
  /** How often it is looked at again by itself, for what changes without being told. */
  readonly every_ms?: number
}

/** Asks anew when `key` changes; once more when `version` does, when `again` is called, and when a lost connection is back. */
export function useAsked<Value>(key: string, ask: () => Promise<Answer<Value>>, { version = 0, every_ms }: When = {}): Reading<Value> {
  const { clock } = useDesk()
  const isOnline = useWindow((state) => state.connection === 'online')
  const [answered, setAnswered] = useState<{ readonly key: string; readonly asked: Asked<Value> }>({ key, asked: { state: 'loading' } })
  const latest = useRef({ key, ask })
  latest.current = { key, ask }
  const times = useRef(0)
  const again = useCallback(async () => {
    times.current += 1
    const mine = times.current
    const wanted = latest.current
    const answer = await wanted.ask()
    // An older answer that comes late says nothing new, and without a connection there is none: it is asked again when it is back.
    const isAnswer = answer.ok || answer.error.code !== 'disconnected'
    if (mine === times.current && isAnswer) setAnswered({ key: wanted.key, asked: askedBy(answer) })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: key and version are wishes to ask once more.
  useEffect(() => {
    if (isOnline) void again()
  }, [key, version, isOnline, again])
  useEffect(() => {
    if (!isOnline || every_ms === undefined) return
    let cancel: () => void = () => undefined
    const round = () => {
      cancel = clock.after(every_ms, () => {
        if (!document.hidden) void again()
        round()
      })
    }
    round()
    return () => cancel()
  }, [isOnline, again, clock, every_ms])
  return { asked: answered.key === key ? answered.asked : { state: 'loading' }, again }
}

/** What one command answers. Asked for something else, the last answer stays until the next one is there. */
export function useCommand<Name extends CommandName>(
  name: Name,
  params: CommandParams<Name>,
  { version = 0, every_ms }: When = {},
): Reading<CommandResult<Name>> {
  const { channel } = useDesk()
  return useAsked(name, () => channel.call(name, params), {
    version: `${JSON.stringify(params)} ${version}`,
    ...(every_ms === undefined ? {} : { every_ms }),
  })
}

/** All pages of a list. */
export function useWholeList<Name extends ListName>(
  name: Name,
  params: CommandParams<Name>,
  when: When = {},
): Reading<readonly ItemOf<Name>[]> {
  const { channel } = useDesk()
  return useAsked(
    `${name} ${JSON.stringify(params)}`,
    async () => {
      const read = await readAll(channel, name, params)
      return read.ok ? { ok: true, value: read.value.items } : read
    },
    when,
  )
}

/** The number of the newest event of these names, so that a list is read again when one happened. */
export function useNewest(names: RegExp, run_id: string | null = null): number {
  return useWindow(
    ({ events }) => events.findLast(({ event }) => names.test(event.event) && (run_id === null || event.run_id === run_id))?.no ?? 0,
  )
}

function askedBy<Value>(answer: Answer<Value>): Asked<Value> {
  return answer.ok ? { state: 'ready', value: answer.value } : { state: 'failed', error: answer.error }
}
