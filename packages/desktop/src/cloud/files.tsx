import type { CloudFile, CloudFileKind } from '@tandem/contract/command'
import { cloudFileKinds } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { usePages } from '../client/use-pages.ts'
import { Button } from '../part/form/button.tsx'
import { Form, FormActions } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { useForm } from '../part/form/use-form.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { formatBytes } from '../text/bytes.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { NeedAccount } from './need-account.tsx'
import { useAccount } from './use-account.ts'

export default function Files() {
  const account = useAccount()
  return (
    <PageLayout title={words.files.title} lead={words.files.lead}>
      <RequestResult reading={account}>
        {() => (account.signedIn ? <Shelf /> : <NeedAccount text={words.files.needAccount} />)}
      </RequestResult>
    </PageLayout>
  )
}

const size = 50

function Shelf() {
  const [q, setQ] = useState('')
  const [kind, setKind] = useState<CloudFileKind>('own')
  const files = usePages('cloud_file_list', { kind, ...(q.trim() === '' ? {} : { q: q.trim() }) }, { size })
  return (
    <>
      <AddFile onDone={files.reload} />
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <input
          type="search"
          value={q}
          maxLength={200}
          onChange={(event) => setQ(event.target.value)}
          aria-label={words.files.filter}
          placeholder={words.files.filter}
          className="field min-w-0 max-w-xs grow basis-40"
        />
        <select
          value={kind}
          onChange={(event) => setKind(cloudFileKinds.find((one) => one === event.target.value) ?? 'own')}
          aria-label={words.files.kind}
          className="field"
        >
          {cloudFileKinds.map((one) => (
            <option key={one} value={one}>
              {words.files.kinds[one]}
            </option>
          ))}
        </select>
      </div>
      <RequestResult reading={files}>
        {(list) =>
          list.items.length === 0 ? (
            <EmptyState>{q.trim() === '' ? words.files.none : words.files.noMatch}</EmptyState>
          ) : (
            <>
              <Panel className="overflow-hidden">
                <ul className="divide-y divide-line">
                  {list.items.map((file) => (
                    <FileLine key={file.id} file={file} onChange={files.reload} />
                  ))}
                </ul>
              </Panel>
              {list.hasMore && (
                <Button className="mt-3" onClick={files.more}>
                  {words.files.more}
                </Button>
              )}
            </>
          )
        }
      </RequestResult>
    </>
  )
}

function AddFile({ onDone }: { onDone(): Promise<void> }) {
  const client = useRuntimeClient()
  const [path, setPath] = useState('')
  const form = useForm({ doing: words.cloudDoing.upload })
  const submit = async () => {
    const answer = await form.send(() => client.channel.call('cloud_file_add', { path: path.trim() }))
    if (!answer.ok) return
    setPath('')
    await onDone()
  }
  return (
    <Section title={words.files.add}>
      <Form form={form} onSubmit={submit} className="grid max-w-xl gap-3">
        <TextField label={words.files.path} field="path" value={path} onChange={setPath} hint={words.files.pathHint} mono />
        <FormActions>
          <PrimaryButton type="submit" disabled={form.isBusy || path.trim() === ''}>
            {words.files.send}
          </PrimaryButton>
        </FormActions>
      </Form>
    </Section>
  )
}

function FileLine({ file, onChange }: { file: CloudFile; onChange(): Promise<void> }) {
  const client = useRuntimeClient()
  const [doing, setDoing] = useState<'nothing' | 'saving' | 'removing'>('nothing')
  const [folder, setFolder] = useState('')
  const [said, setSaid] = useState('')
  const form = useForm({ doing: words.cloudDoing.download })
  const name = visibleText(file.name)
  const save = async () => {
    const answer = await form.send(() => client.channel.call('cloud_file_save', { file_id: file.id, folder: folder.trim() }))
    if (!answer.ok) return
    setDoing('nothing')
    setSaid(words.files.saved(answer.value.path))
  }
  const remove = async () => {
    setDoing('nothing')
    await client.call(words.cloudDoing.fileRemove, 'cloud_file_remove', { file_id: file.id })
    await onChange()
  }
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-40">
          <bdi title={name} className="block truncate font-medium">
            {name}
          </bdi>
          <span className="block text-faint text-sm">
            {formatBytes(file.size)} · {file.media_type} · {formatTime(file.created_at)}
          </span>
        </span>
        <span className="flex gap-2">
          <Button onClick={() => setDoing('saving')} aria-label={words.files.saveOf(name)}>
            {words.files.save}
          </Button>
          <Button onClick={() => setDoing('removing')} aria-label={`${words.files.remove} ${name}`}>
            {words.files.remove}
          </Button>
        </span>
      </div>
      {doing === 'saving' && (
        <Form form={form} onSubmit={save} className="mt-2 grid max-w-md gap-3">
          <TextField label={words.files.folder} field="folder" value={folder} onChange={setFolder} hint={words.files.folderHint} mono />
          <FormActions>
            <PrimaryButton type="submit" disabled={form.isBusy || folder.trim() === ''}>
              {words.save}
            </PrimaryButton>
            <Button onClick={() => setDoing('nothing')}>{words.cancel}</Button>
          </FormActions>
        </Form>
      )}
      {doing === 'removing' && (
        <div role="alertdialog" aria-label={words.files.removeSure(name)} className="mt-2 rounded-md bg-warn-soft px-3 py-2">
          <p className="mb-2 text-warn">{words.files.removeSure(name)}</p>
          <div className="flex gap-2">
            <PrimaryButton autoFocus onClick={remove}>
              {words.files.removeYes}
            </PrimaryButton>
            <Button onClick={() => setDoing('nothing')}>{words.cancel}</Button>
          </div>
        </div>
      )}
      <p role="status" className="break-all text-good text-sm">
        {visibleText(said)}
      </p>
    </li>
  )
}
