import type { Memory } from '@tandem/contract/memory'
import { useRuntimeClient } from '../client/use-client.ts'
import { words } from '../strings/window.ts'
import { type MemoryDraft, MemoryForm } from './memory-form.tsx'

/** Changes the text and the kind. */
export function EditMemory({ memory, onDone }: { memory: Memory; onDone(): void }) {
  const { channel } = useRuntimeClient()
  const { id: memory_id, version, content, memory_kind } = memory
  const save = async (draft: MemoryDraft) => {
    const edit = {
      ...(draft.content === content ? {} : { content: draft.content }),
      ...(draft.memory_kind === memory_kind ? {} : { memory_kind: draft.memory_kind }),
    }
    if (Object.keys(edit).length === 0) return { ok: true as const, value: null }
    return await channel.call('memory_edit', { memory_id, version, ...edit })
  }
  return (
    <MemoryForm
      initial={{ content, memory_kind }}
      submit={words.save}
      save={save}
      onDone={onDone}
      className="mt-4 border-line border-t pt-4"
    />
  )
}
