// Adds a folder, a file, a web page or a text.
import type { KnowledgeOwner } from '@tandem/contract/knowledge'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { SmallFold } from '../part/fold.tsx'
import { Choice } from '../part/form/choice.tsx'
import { Form } from '../part/form/form.tsx'
import { SubmitActions } from '../part/form/submit-actions.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { Panel } from '../part/section.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'
import { splitLines } from '../text/split-lines.ts'
import { type FolderChoice, FolderOptions } from './folder-options.tsx'
import { OwnerFields } from './owner-fields.tsx'

const told = knowledgeWords.form
const kinds = ['path', 'url', 'text'] as const

export function AddSource({ onDone }: { onDone(): void }) {
  const { channel } = useRuntimeClient()
  const form = useForm()
  const [kind, setKind] = useState<(typeof kinds)[number]>('path')
  const [values, setValues] = useState({ path: '', url: '', text: '', name: '' })
  const [folder, setFolder] = useState<FolderChoice>({ include: '', exclude: '', watch: true })
  const [owner, setOwner] = useState<KnowledgeOwner>({ kind: 'everyone' })
  const field = (name: keyof typeof values) => ({
    field: name,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  const add = async () => {
    const name = values.name.trim()
    const what = { path: { path: values.path.trim() }, url: { url: values.url.trim() }, text: { text: values.text } }
    const patterns = { include: splitLines(folder.include), exclude: splitLines(folder.exclude) }
    const answer = await form.send(() =>
      channel.call('kb_add', {
        owner,
        ...what[kind],
        ...(name === '' ? {} : { name }),
        ...(kind !== 'path' || patterns.include.length === 0 ? {} : { include: patterns.include }),
        ...(kind !== 'path' || patterns.exclude.length === 0 ? {} : { exclude: patterns.exclude }),
        // Only folders are watched, and they are unless the user decides otherwise.
        ...(kind !== 'path' || folder.watch ? {} : { watch: false }),
      }),
    )
    if (answer.ok) onDone()
  }
  return (
    <Panel className="mb-6 p-4">
      <Form form={form} onSubmit={add} className="grid gap-4">
        <Choice label={told.kind} values={kinds} value={kind} onChange={setKind} nameOf={(one) => told.kinds[one]} mono={false} />
        {kind === 'path' && <TextField key="path" label={told.path} hint={told.pathHint} {...field('path')} mono autoFocus />}
        {kind === 'url' && <TextField key="url" label={told.url} hint="https://…" type="url" {...field('url')} mono />}
        {kind === 'text' && <TextField key="text" label={told.text} rows={8} {...field('text')} />}
        <TextField label={told.name} hint={told.nameHint} {...field('name')} />
        <OwnerFields owner={owner} onChange={setOwner} />
        {kind === 'path' && <SmallFold summary={told.options}>{() => <FolderOptions value={folder} onChange={setFolder} />}</SmallFold>}
        {kind === 'path' && <p className="text-faint text-sm">{told.secrets}</p>}
        <SubmitActions label={told.add} />
      </Form>
    </Panel>
  )
}
