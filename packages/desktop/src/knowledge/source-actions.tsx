import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { visibleName } from '../text/name.ts'
import { isBusy } from './use-sources.ts'

interface Props {
  readonly source: KnowledgeSource
  readonly isEditing: boolean
  onEdit(): void
  again(): Promise<void>
}

export function SourceActions({ source, isEditing, onEdit, again }: Props) {
  const client = useRuntimeClient()
  const { source_id } = source
  const name = visibleName(source.name)
  const reindex = async () => {
    await client.call(knowledgeWords.doing.reindex, 'kb_reindex', { source_id })
    await again()
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={knowledgeWords.reindexOf(name)} disabled={isBusy(source)} onClick={reindex}>
        {knowledgeWords.reindex}
      </Button>
      <Button aria-label={knowledgeWords.editOf(name)} aria-expanded={isEditing} onClick={onEdit}>
        {knowledgeWords.edit}
      </Button>
    </div>
  )
}
