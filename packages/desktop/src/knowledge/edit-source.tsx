// Renames a source, shares it, changes which files it has, and removes it.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { knowledgeWords } from '../strings/knowledge.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { splitLines } from '../text/split-lines.ts'
import { FolderOptions } from './folder-options.tsx'
import { OwnerFields } from './owner-fields.tsx'

interface Props {
  readonly source: KnowledgeSource
  onDone(): void
  onRemoved(): void
}

export function EditSource({ source, onDone, onRemoved }: Props) {
  const { channel } = useRuntimeClient()
  const { source_id, origin } = source
  const form = useForm()
  const [name, setName] = useState(source.name)
  const [owner, setOwner] = useState(source.owner)
  const before = {
    include: origin.kind === 'folder' ? (origin.include ?? []).join('\n') : '',
    exclude: origin.kind === 'folder' ? (origin.exclude ?? []).join('\n') : '',
    watch: source.watch,
  }
  const [folder, setFolder] = useState(before)
  const save = async () => {
    const change = {
      ...(name === source.name ? {} : { name }),
      ...(JSON.stringify(owner) === JSON.stringify(source.owner) ? {} : { owner }),
      ...(folder.include === before.include ? {} : { include: splitLines(folder.include) }),
      ...(folder.exclude === before.exclude ? {} : { exclude: splitLines(folder.exclude) }),
      ...(folder.watch === before.watch ? {} : { watch: folder.watch }),
    }
    const answer = await form.send(() => channel.call('kb_update', { source_id, ...change }))
    if (answer.ok) onDone()
  }
  return (
    <div className="mt-3 rounded-lg bg-sunken p-4">
      <Form form={form} onSubmit={save} className="grid gap-4">
        <TextField label={knowledgeWords.form.name} field="name" value={name} onChange={setName} autoFocus />
        <OwnerFields owner={owner} onChange={setOwner} />
        {origin.kind === 'folder' && <FolderOptions value={folder} onChange={setFolder} />}
        <SubmitActions label={words.save}>
          <Button onClick={onDone}>{words.cancel}</Button>
        </SubmitActions>
      </Form>
      <div className="mt-4 border-line border-t pt-4">
        <RemoveSource source={source} onRemoved={onRemoved} />
      </div>
    </div>
  )
}

function RemoveSource({ source: { source_id, name, origin }, onRemoved }: Pick<Props, 'source' | 'onRemoved'>) {
  const client = useRuntimeClient()
  const shown = visibleName(name)
  const remove = async () => {
    const answer = await client.call(knowledgeWords.doing.remove, 'kb_remove', { source_id })
    if (answer.ok) onRemoved()
  }
  return (
    <AskFirst
      name={knowledgeWords.remove}
      label={knowledgeWords.removeOf(shown)}
      question={knowledgeWords.removeSure(shown, origin.kind)}
      yes={knowledgeWords.removeYes}
      act={remove}
    />
  )
}
