import type { Memory } from '@tandem/contract/memory'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { memoryWords } from '../strings/memory.ts'
import { Forget, type WhatRemains } from './forget.tsx'

interface Props {
  readonly memory: Memory
  readonly isEditing: boolean
  onEdit(): void
  again(): Promise<void>
  onForgot(what: WhatRemains): void
}

export function MemoryActions({ memory, isEditing, onEdit, again, onForgot }: Props) {
  const client = useRuntimeClient()
  const { id: memory_id, version, state, confirmed_by_user, only_in_conversation, conversation_id, expires_at } = memory
  const confirm = async () => {
    await client.call(memoryWords.doing.confirm, 'memory_confirm', { memory_id })
    await again()
  }
  const reinstate = async () => {
    await client.call(memoryWords.doing.reinstate, 'memory_reinstate', { memory_id })
    await again()
  }
  const change = async (edit: { only_in_conversation: boolean } | { expires_at: null }) => {
    await client.call(memoryWords.doing.edit, 'memory_edit', { memory_id, version, ...edit })
    await again()
  }
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'active' && !confirmed_by_user && <Button onClick={confirm}>{memoryWords.confirm}</Button>}
      {state !== 'active' && <Button onClick={reinstate}>{memoryWords.reinstate}</Button>}
      <Button aria-expanded={isEditing} onClick={onEdit}>
        {memoryWords.edit}
      </Button>
      {conversation_id !== null && (
        <Button aria-pressed={only_in_conversation} onClick={() => change({ only_in_conversation: !only_in_conversation })}>
          {memoryWords.onlyInConversation}
        </Button>
      )}
      {state === 'active' && expires_at !== null && <Button onClick={() => change({ expires_at: null })}>{memoryWords.keepForever}</Button>}
      <Forget memory_id={memory_id} label={memoryWords.forget} onForgot={onForgot} />
    </div>
  )
}
