// What a command answers, read when a page opens, when the connection is back, and when the page asks for it again.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer } from '../connection/channel.ts'
import { useDesk, useWindow } from './use-desk.ts'

export interface Read<Value> {
  /** Null until it was read for the first time. What was read stays while it is read again. */
  readonly answer: Answer<Value> | null
  again(): Promise<void>
}

/** `every_ms`: how often it is looked at again by itself, for what changes without being told. */
export function useAnswer<Name extends CommandName>(
  name: Name,
  params: CommandParams<Name>,
  every_ms: number | null = null,
): Read<CommandResult<Name>> {
  const { channel, clock } = useDesk()
  const isOnline = useWindow((state) => state.connection === 'online')
  const [answer, setAnswer] = useState<Answer<CommandResult<Name>> | null>(null)
  const asked = useRef(0)
  const text = JSON.stringify(params)
  const again = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const fresh = await channel.call(name, JSON.parse(text) as CommandParams<Name>)
    // An older answer that comes late says nothing new.
    if (mine === asked.current) setAnswer(fresh)
  }, [channel, name, text])
  useEffect(() => {
    if (!isOnline) return
    void again()
    if (every_ms === null) return
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
  return { answer, again }
}
