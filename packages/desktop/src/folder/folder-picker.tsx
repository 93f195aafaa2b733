// Chooses a folder: recent ones, a path with completion, and a browser. Everything works with the keyboard.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { FieldError } from '../part/form/form.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { Switch } from '../part/form/switch.tsx'
import { Icon } from '../part/icon.tsx'
import { folderWords } from '../strings/folders.ts'
import { visibleText } from '../text/visible.ts'
import { opened, parseTypedPath, shortPath } from './typed-path.ts'
import { useFolderList, useRecentFolders } from './use-folders.ts'

interface Props {
  /** The folder that is in use now; empty if there is none. */
  readonly value: string
  readonly lead?: string
  /** Returns why it was refused, or null. */
  onChoose(path: string): Promise<string | null>
  onClose(): void
}

export function FolderPicker({ value, lead = folderWords.lead, onChoose, onClose }: Props) {
  const { channel } = useRuntimeClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [id, errorId] = [useId(), useId()]
  const recent = useRecentFolders()
  const home = recent?.home ?? null
  const [typed, setTyped] = useState<string | null>(null)
  const [hidden, setHidden] = useState(false)
  const [problem, setProblem] = useState('')
  const [canCreate, setCanCreate] = useState(false)
  const [busy, setBusy] = useState(false)
  const path = typed ?? (value === '' ? '~/' : opened(shortPath(value, home)))
  const { listed, error, more } = useFolderList(path, hidden)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const type = (next: string) => {
    setTyped(next)
    setProblem('')
    setCanCreate(false)
  }
  const refuse = (reason: string, creates: boolean) => {
    setProblem(reason)
    setCanCreate(creates)
    field.current?.focus()
  }
  const choose = async (chosen: string) => {
    const wanted = chosen.trim()
    if (wanted === '') return refuse(folderWords.empty, false)
    setBusy(true)
    const checked = await channel.call('workspace_check', { workspace: wanted })
    const refusal = checked.ok ? await onChoose(checked.value.workspace) : (checked.error.fields?.[0]?.message ?? checked.error.message)
    setBusy(false)
    if (refusal === null) return dialog.current?.close()
    refuse(refusal, !checked.ok && refusal === 'does not exist')
  }
  const create = async () => {
    const made = await channel.call('workspace_make_folder', { workspace: path.trim().replace(/\/+$/, '') })
    if (made.ok) return await choose(made.value.workspace)
    refuse(made.error.fields?.[0]?.message ?? made.error.message, false)
  }
  const { starts_with } = parseTypedPath(path)
  const available = recent?.items.filter((one) => one.path !== value) ?? []
  return (
    <dialog ref={dialog} onClose={onClose} onKeyDown={moveFocus} aria-label={folderWords.title} className="palette">
      <div className="flex max-h-[80vh] flex-col">
        <form
          className="border-line border-b p-4"
          onSubmit={(event) => {
            event.preventDefault()
            void choose(path)
          }}
        >
          <h2 className="font-semibold text-lg tracking-tight">{folderWords.title}</h2>
          <p className="mb-3 text-soft text-sm">{lead}</p>
          <label htmlFor={id} className="mb-1 block text-soft text-sm">
            {folderWords.path}
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              ref={field}
              id={id}
              data-moves
              data-field="workspace"
              value={path}
              onChange={(event) => type(event.target.value)}
              placeholder={folderWords.hint}
              title={folderWords.hint}
              autoComplete="off"
              spellCheck={false}
              autoFocus
              aria-invalid={problem !== ''}
              aria-describedby={errorId}
              className="field min-w-0 grow basis-60 font-mono text-[13px]"
            />
            <PrimaryButton type="submit" disabled={busy}>
              {folderWords.use}
            </PrimaryButton>
            <Button onClick={() => dialog.current?.close()}>{folderWords.cancel}</Button>
          </div>
          <FieldError id={errorId} error={problem === '' ? null : `${folderWords.folder} ${problem}.`} />
          {canCreate && (
            <p className="mt-2">
              <Button data-moves onClick={create}>
                {folderWords.create(visibleText(path.trim()))}
              </Button>
            </p>
          )}
        </form>
        <div className="min-h-0 grow overflow-y-auto p-2">
          {available.length > 0 && (
            <section aria-label={folderWords.recent} className="mb-2">
              <h3 className="px-2 py-1 text-faint text-sm">{folderWords.recent}</h3>
              <ul>
                {available.slice(0, 8).map((one) => (
                  <Entry
                    key={one.path}
                    name={shortPath(one.path, home)}
                    isDisabled={one.state !== 'available'}
                    detail={folderWords.usedBy(one.conversations)}
                    badge={folderWords.states[one.state]}
                    onClick={() => void choose(one.path)}
                  />
                ))}
              </ul>
            </section>
          )}
          <section aria-label={folderWords.inFolder(listed?.path ?? '')}>
            <div className="flex flex-wrap items-center justify-between gap-2 px-2 py-1">
              <h3 className="min-w-0 break-all text-faint text-sm">
                {listed ? folderWords.inFolder(visibleText(shortPath(listed.path, home))) : ''}
              </h3>
              <Switch label={folderWords.hidden(listed?.hidden_folders ?? 0)} value={hidden} onChange={setHidden} />
            </div>
            {error && <p className="px-2 py-1 text-sm text-warn">{visibleText(error.fields?.[0]?.message ?? error.message)}</p>}
            <ul>
              {listed?.parent != null && starts_with === '' && (
                <Entry name={folderWords.parent} isName={false} onClick={() => type(opened(shortPath(listed.parent ?? '/', home)))} />
              )}
              {listed?.items.map((one) => (
                <Entry
                  key={one.path}
                  name={one.name}
                  isDisabled={one.state !== 'available'}
                  detail={one.link === null ? '' : folderWords.link(visibleText(one.link))}
                  badge={folderWords.states[one.state]}
                  onClick={() => type(opened(shortPath(one.path, home)))}
                />
              ))}
            </ul>
            {listed?.items.length === 0 && (
              <p className="px-2 py-1 text-faint text-sm">
                {starts_with === '' ? folderWords.none : folderWords.noMatch(visibleText(starts_with))}
              </p>
            )}
            {listed?.truncated && <p className="px-2 py-1 text-sm text-warn">{folderWords.truncated}</p>}
            {listed?.next_cursor != null && (
              <Button data-moves onClick={more} className="m-2">
                {folderWords.more}
              </Button>
            )}
          </section>
        </div>
      </div>
    </dialog>
  )
}

interface EntryProps {
  readonly name: string
  /** False for other words than the name of a folder. */
  readonly isName?: boolean
  readonly detail?: string
  readonly badge?: string
  readonly isDisabled?: boolean
  onClick(): void
}

function Entry({ name, isName = true, detail = '', badge = '', isDisabled = false, onClick }: EntryProps): ReactNode {
  return (
    <li>
      <button
        type="button"
        data-moves
        // A disabled button cannot be reached with the keyboard, and what is wrong with it would not be read.
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : onClick}
        className="flex w-full items-baseline gap-2 rounded-md px-2 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2 aria-disabled:cursor-default aria-disabled:text-faint"
      >
        <Icon name="folder" size={14} className="shrink-0 self-center text-faint" />
        {isName ? (
          <bdi translate="no" className="min-w-0 break-all font-mono text-[13px]">
            {visibleText(name)}
          </bdi>
        ) : (
          <span className="text-sm">{name}</span>
        )}
        {detail !== '' && <span className="shrink-0 text-faint text-sm">{detail}</span>}
        {badge !== '' && <Badge tone="warn">{badge}</Badge>}
      </button>
    </li>
  )
}

/** The arrow keys move between the path and the entries. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-moves]')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
