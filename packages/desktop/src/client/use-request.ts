// A request to the runtime in its three states. While it is repeated, the last response stays.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CallError, CallResult } from '../connection/channel.ts'
import { type ItemOf, type ListName, readAll } from './pages.ts'
import { repeat } from './repeat.ts'
import { useRuntimeClient, useWindowState } from './use-client.ts'

export type RequestState<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: CallError }
  | { readonly state: 'ready'; readonly value: Value }

export interface ReadRequest<Value> {
  readonly state: RequestState<Value>
  /** Resolves when the response has arrived. */
  reload(): Promise<void>
}

interface When {
  /** Another value repeats the request. */
  readonly version?: number | string
  /** How often it is repeated automatically, for data that changes without an event. */
  readonly every_ms?: number
}

/** Sends a new request when `key` changes; repeats it when `version` changes, when `again` is called, and after a reconnect. */
export function useRequest<Value>(
  key: string,
  ask: () => Promise<CallResult<Value>>,
  { version = 0, every_ms }: When = {},
): ReadRequest<Value> {
  const { clock } = useRuntimeClient()
  const isOnline = useWindowState((state) => state.connection === 'online')
  const [answered, setAnswered] = useState<{ readonly key: string; readonly asked: RequestState<Value> }>({
    key,
    asked: { state: 'loading' },
  })
  const latest = useRef({ key, ask })
  latest.current = { key, ask }
  const times = useRef(0)
  const again = useCallback(async () => {
    times.current += 1
    const mine = times.current
    const wanted = latest.current
    const answer = await wanted.ask()
    // Ignore a late response to an older request, and a lost connection: the request is repeated after a reconnect.
    const isAnswer = answer.ok || answer.error.code !== 'disconnected'
    if (mine === times.current && isAnswer) setAnswered({ key: wanted.key, asked: askedBy(answer) })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key or version repeats the request.
  useEffect(() => {
    if (isOnline) void again()
  }, [key, version, isOnline, again])
  useEffect(() => {
    if (!isOnline || every_ms === undefined) return
    return repeat(clock, every_ms, async () => {
      if (!document.hidden) await again()
    })
  }, [isOnline, again, clock, every_ms])
  return { state: answered.key === key ? answered.asked : { state: 'loading' }, reload: again }
}

/** The result of one command. With other parameters, the last result stays until the next one arrives. */
export function useCommand<Name extends CommandName>(
  name: Name,
  params: CommandParams<Name>,
  { version = 0, every_ms }: When = {},
): ReadRequest<CommandResult<Name>> {
  const { channel } = useRuntimeClient()
  return useRequest(name, () => channel.call(name, params), {
    version: `${JSON.stringify(params)} ${version}`,
    ...(every_ms === undefined ? {} : { every_ms }),
  })
}

/** All pages of a list. */
export function useCompleteList<Name extends ListName>(
  name: Name,
  params: CommandParams<Name>,
  when: When = {},
): ReadRequest<readonly ItemOf<Name>[]> {
  const { channel } = useRuntimeClient()
  return useRequest(
    `${name} ${JSON.stringify(params)}`,
    async () => {
      const read = await readAll(channel, name, params)
      return read.ok ? { ok: true, value: read.value.items } : read
    },
    when,
  )
}

/** The number of the newest event with a matching name, so that a list is read again after it. */
export function useNewestEventNumber(names: RegExp, run_id: string | null = null): number {
  return useWindowState(
    ({ events }) => events.findLast(({ event }) => names.test(event.event) && (run_id === null || event.run_id === run_id))?.no ?? 0,
  )
}

function askedBy<Value>(answer: CallResult<Value>): RequestState<Value> {
  return answer.ok ? { state: 'ready', value: answer.value } : { state: 'failed', error: answer.error }
}
