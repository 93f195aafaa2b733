import { importSourceNames, parseExport } from '@tandem/contract/import'
import { useId, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { importWords as told } from '../strings/imports.ts'
import { visibleText } from '../text/visible.ts'
import { readExport } from './export-file.ts'

type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'busy'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string }
  | { readonly state: 'done'; readonly text: string; readonly problems: readonly string[] }

const shownProblems = 50
const time = (at: number) => new Date(at).toISOString()

export function ImportConversations() {
  const client = useRuntimeClient()
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const [forMemory, setForMemory] = useState(false)
  const [progress, setProgress] = useState<Progress>({ state: 'idle' })
  const start = async () => {
    if (!file) return
    setProgress({ state: 'busy', text: told.reading })
    const read = await readExport(file)
    const parsed = read.ok ? parseExport(read.value) : { ...read, remedy: '' }
    if (!parsed.ok) return setProgress({ state: 'failed', text: `${parsed.message}${parsed.remedy === '' ? '' : `. ${parsed.remedy}`}` })
    const counts = { added: 0, known: 0, grown: 0, copied: 0 }
    const refused: string[] = []
    for (const [index, { messages, created_at, updated_at, ...one }] of parsed.conversations.entries()) {
      setProgress({ state: 'busy', text: told.busy(index, parsed.conversations.length) })
      const answer = await client.channel.call('conversation_import', {
        ...one,
        created_at: time(created_at),
        updated_at: time(updated_at),
        messages: messages.map((message) => ({ ...message, created_at: time(message.created_at) })),
        for_memory: forMemory,
      })
      // What is wrong with one conversation does not hold up the others; without a connection or a disk, none can be added.
      if (!answer.ok && answer.error.code !== 'invalid_params')
        return setProgress({ state: 'failed', text: told.stopped(one.title, index, parsed.conversations.length, answer.error) })
      if (!answer.ok) refused.push(`${one.title}: ${answer.error.message}`)
      else counts[answer.value.outcome] += 1
    }
    await client.refreshLists()
    const text = told.done(counts, importSourceNames[parsed.source])
    setProgress({ state: 'done', text, problems: [...refused, ...parsed.problems] })
  }
  const isBusy = progress.state === 'busy'
  return (
    <Section anchor="section-import" title={told.title} lead={told.lead}>
      <Panel className="space-y-3 p-4">
        <label htmlFor={id} className="block text-sm">
          {told.file}
        </label>
        <input
          id={id}
          type="file"
          accept=".json,.zip,application/json,application/zip"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            setFile(currentTarget.files?.[0] ?? null)
            setProgress({ state: 'idle' })
          }}
          className="block w-full text-sm"
        />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={forMemory}
            disabled={isBusy}
            onChange={({ currentTarget }) => setForMemory(currentTarget.checked)}
            className="accent-(--cloud)"
          />
          {told.forMemory}
        </label>
        <PrimaryButton onClick={start} disabled={isBusy || file === null}>
          {told.start}
        </PrimaryButton>
        <p role="status" className="break-words text-sm empty:hidden">
          {progress.state === 'busy' || progress.state === 'done' ? visibleText(progress.text) : ''}
        </p>
        {progress.state === 'failed' && (
          <p role="alert" className="break-words text-bad text-sm">
            {visibleText(progress.text)}
          </p>
        )}
        {progress.state === 'done' && progress.problems.length > 0 && (
          <details className="text-sm">
            <summary className="details-summary w-fit rounded">{told.problems(progress.problems.length)}</summary>
            <ul className="list-disc pl-5">
              {progress.problems.slice(0, shownProblems).map((problem, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change.
                <li key={index}>{visibleText(problem)}</li>
              ))}
            </ul>
          </details>
        )}
      </Panel>
    </Section>
  )
}
