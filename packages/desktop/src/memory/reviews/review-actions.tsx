import type { Memory } from '@tandem/contract/memory'
import { useRuntimeClient } from '../../client/use-client.ts'
import { Button } from '../../part/form/button.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'
import { Forget, type WhatRemains } from '../forget.tsx'

interface Props {
  readonly memory: Memory
  onChanged(): void
  onForgot(what: WhatRemains): void
}

/** What can be done with a memory without opening it. */
export function ReviewActions({ memory: { id: memory_id, content }, onChanged, onForgot }: Props) {
  const client = useRuntimeClient()
  const shown = visibleText(content).slice(0, 80)
  const confirm = async () => {
    const answer = await client.call(memoryWords.doing.confirm, 'memory_confirm', { memory_id })
    if (answer.ok) onChanged()
  }
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      <Button aria-label={memoryWords.confirmOf(shown)} onClick={confirm}>
        {memoryWords.confirm}
      </Button>
      <Forget memory_id={memory_id} label={memoryWords.forgetOf(shown)} onForgot={onForgot} />
    </div>
  )
}
