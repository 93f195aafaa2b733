import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'
import { Choice } from '../part/form/choice.tsx'
import { memoryWords } from '../strings/memory.ts'

export function KindChoice({ value, onChange }: { value: MemoryKind; onChange(kind: MemoryKind): void }) {
  return (
    <Choice
      label={memoryWords.kind}
      values={memoryKinds}
      value={value}
      onChange={onChange}
      nameOf={(kind) => memoryWords.kinds[kind]}
      mono={false}
    />
  )
}
