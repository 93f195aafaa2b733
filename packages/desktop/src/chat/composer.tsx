// Where the user writes. The text is kept until the runtime has received it.
import type { Attachment } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { SandboxMode } from '@tandem/contract/tool'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, use, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useDeviceName } from '../client/use-device-name.ts'
import { takeComposerFocus } from '../part/composer-focus.ts'
import { FieldError } from '../part/form/form.tsx'
import { FormContext, useField } from '../part/form/use-form.ts'
import { isShortcut } from '../part/shortcuts.ts'
import { keepDraft, readDraft, restOf } from '../store/draft.ts'
import { type SentMessage, sentAgain } from '../store/sent-message.ts'
import { enterWords, queueWords } from '../strings/branching.ts'
import { writingWords } from '../strings/composer.ts'
import { slashWords } from '../strings/slash.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { AttachmentList, unseenPictures } from './attachment-list.tsx'
import { ComposerBar } from './composer-bar.tsx'
import { mentionAt, withFile } from './mention.ts'
import { Mentions, type Suggestion, useFileSuggestions } from './mentions.tsx'
import { OtherDeviceNotice } from './other-device-notice.tsx'
import { skillCommandAt, withSkill } from './skill-command.ts'
import { skillSuggestions, useSkills } from './skill-suggestions.ts'
import { hasExtraText, parseSlashCommand, slashWord } from './slash-commands.ts'
import { useAttachments } from './use-attachments.ts'
import { useHistory } from './use-history.ts'
import { useLateEdits } from './use-late-edits.ts'
import { useRunOptions } from './use-run-options.ts'
import { useSlash } from './use-slash.ts'

export interface OutgoingMessage {
  readonly text: string
  readonly attachments?: Attachment[]
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
  /** Idempotency key: sending the message again after a lost connection starts only one run. */
  readonly key: string
}

interface Props {
  /** The key of the draft: a conversation, or the new one. */
  readonly place: string
  /** Whose folder an @ searches; null for the folder the runtime was started in. */
  readonly conversation_id?: string
  /** The folder of a conversation that has not started. */
  readonly folder?: string
  /** Whose skills a / suggests; null if there is no agent yet. */
  readonly agent_id: string | null
  readonly running: string | null
  /** The other device whose run is open here: then nothing can be sent or stopped. */
  readonly held?: string | null
  readonly hint: string | null
  readonly placeholder?: string | undefined
  /** To the open run, which gets it at its next turn, or as a new one. Resolves to whether the runtime received it. The form around the composer shows errors. */
  send(sending: OutgoingMessage): Promise<boolean>
  readonly autoFocus?: boolean
}

interface Notice {
  readonly said: string
  /** For a word after a slash that is unknown. */
  readonly offers?: 'send'
}

/** How long the first Esc waits for the second. */
const sure_ms = 3_000

export function Composer({
  place,
  conversation_id,
  folder = '',
  agent_id,
  running,
  held = null,
  hint,
  placeholder,
  send,
  autoFocus = false,
}: Props) {
  const client = useRuntimeClient()
  const [text, setText] = useState(() => readDraft(place))
  const [caret, setCaret] = useState(0)
  const form = use(FormContext)
  const options = useRunOptions(place, conversation_id ?? null)
  const [sending, setSending] = useState(false)
  const [over, setOver] = useState(false)
  const [unsure, setUnsure] = useState(false)
  const [chosen, setChosen] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const attachments = useAttachments(place)
  const lastSent = useRef<SentMessage | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const caretOfChosen = useRef<number | null>(null)
  const listId = useId()
  const heldId = useId()
  const workspace = useWindowState(
    (state) => (conversation_id ? state.conversations?.get(conversation_id)?.workspace : folder || null) ?? null,
  )
  const mention = mentionAt(text, caret)
  const command = skillCommandAt(text, caret)
  const typed = mention ?? command
  const [notice, setNotice] = useState<Notice | null>(null)
  const files = useFileSuggestions(conversation_id ?? null, mention && mention.begin !== closedAt ? mention.typed : null, workspace)
  const skills = useSkills(agent_id, workspace, text.trimStart().startsWith('/'))
  const slash = useSlash({
    conversation_id: conversation_id ?? null,
    running,
    skills: skills.map(({ name }) => name),
    isChoosingModel: /^\s*\/model\s/.test(text),
    setText(next) {
      setText(next)
      setCaret(next.length)
      caretOfChosen.current = next.length
    },
    setModel: (model) => options.store({ model }),
    say: (said) => setNotice(said === '' ? null : { said }),
  })
  const isClosed = closedAt !== null && closedAt === (typed?.begin ?? 0)
  const commands = command && !isClosed ? matching(command.typed) : null
  const suggestions = files ?? (commands && commands.length > 0 ? commands : isClosed ? null : slash.arguments(text, caret))
  const recall = useHistory(place, text, setText)
  useEffect(() => keepDraft(place, text), [place, text])
  useLateEdits(conversation_id ?? '', (late) => {
    setText((typed) => (typed.trim() === '' ? late : `${typed}\n\n${late}`))
    setNotice({ said: queueWords.delivered })
  })
  useEffect(() => {
    const { current } = area
    if (!current || !takeComposerFocus()) return
    current.focus()
    current.setSelectionRange(current.value.length, current.value.length)
  }, [])
  useEffect(() => (unsure ? client.clock.after(sure_ms, () => setUnsure(false)) : undefined), [client, unsure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const { current } = area
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, 240)}px`
    const place = caretOfChosen.current
    caretOfChosen.current = null
    // Together with the text, before the next key: later, it would move the caret of a user who keeps typing.
    if (place !== null) current.setSelectionRange(place, place)
  }, [text])

  const wrong = useField('text')
  const isEmpty = text.trim() === '' && attachments.kept.length === 0
  const isOpen = running !== null
  /** Commands before skills, and what begins with the typed text before what contains it. */
  function matching(name: string): readonly Suggestion[] {
    const all = [...slash.commands(name), ...(running === null ? skillSuggestions(skills, name) : [])]
    const begins = all.filter((one) => one.text.startsWith(`/${name}`))
    return [...begins, ...all.filter((one) => !begins.includes(one))]
  }
  const heldName = useDeviceName(held ?? '')
  const outgoing = (): OutgoingMessage => {
    const written = text.trim() === '' ? writingWords.onlyFiles(attachments.kept.map(({ name }) => name).join(', ')) : text
    lastSent.current = sentAgain(lastSent.current, { text: written, attachments: attachments.kept }, () => crypto.randomUUID())
    return {
      text: written,
      key: lastSent.current.key,
      ...(attachments.kept.length > 0 ? { attachments: [...attachments.kept] } : {}),
      ...options.ofStart(),
    }
  }
  /** Why nothing is sent now; null if it can be. Enter always answers. */
  const obstacle = (): string | null => {
    if (sending) return enterWords.sending
    if (held !== null) return words.composer.elsewhere(heldName)
    if (attachments.coming.length > 0) return enterWords.attaching
    return isEmpty ? enterWords.empty : null
  }
  const submit = async (as: 'typed' | 'text' = 'typed') => {
    const parsed = as === 'typed' ? parseSlashCommand(text) : null
    const why = parsed ? slash.run(parsed) : obstacle()
    setNotice((before) =>
      why === null ? (parsed ? before : null) : { said: why, ...(parsed && hasExtraText(parsed) ? { offers: 'send' } : {}) },
    )
    if (parsed || why !== null) return
    setSending(true)
    const word = as === 'typed' ? slashWord(text) : null
    const isUnknown = word !== null && !(await isSkill(word))
    if (isUnknown) {
      setSending(false)
      return setNotice({ said: slashWords.unknown(word), offers: 'send' })
    }
    const message = outgoing()
    const problem = await options.store()
    if (problem) form?.refuse(problem)
    const done = problem === null && (await send(message))
    setSending(false)
    if (!done) return
    lastSent.current = null
    // Also if another conversation was opened meanwhile, and this composer is gone.
    keepDraft(place, restOf(readDraft(place), text))
    const { value = '', selectionStart = 0 } = area.current ?? {}
    const rest = restOf(value, text)
    if (rest !== value) caretOfChosen.current = Math.max(0, selectionStart - (value.length - rest.length))
    setText(rest)
    attachments.clear(message.attachments ?? [])
    area.current?.focus()
  }
  const isSkill = async (word: string): Promise<boolean> => {
    if (agent_id === null) return false
    const read = await readAll(client.channel, 'skill_binding_list', { agent_id, ...(workspace ? { workspace } : {}) })
    // Without an answer, the runtime decides what the text is.
    return !read.ok || read.value.items.some(({ skill }) => skill?.name === word)
  }
  const stop = () => running !== null && client.call(words.doing.stop, 'agent_run_cancel', { run_id: running })
  const choose = (value: string, key: 'Enter' | 'Tab' = 'Enter') => {
    const suggestion: Suggestion | undefined = suggestions?.find((one) => one.value === value)
    if (!mention && suggestion?.runs && key === 'Enter') {
      const parsed = parseSlashCommand(value)
      const why = parsed && slash.run(parsed)
      return why === null ? undefined : setNotice({ said: why })
    }
    const next = mention
      ? withFile(text, mention, value)
      : command
        ? withSkill(text, command, value.slice(1).trim())
        : { text: value, caret: value.length }
    setText(next.text)
    setCaret(next.caret)
    caretOfChosen.current = next.caret
  }
  const onListKey = (event: KeyboardEvent): boolean => {
    if (!suggestions) return false
    const suggestion = suggestions[Math.min(chosen, suggestions.length - 1)]
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, suggestions.length - 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) choose(suggestion.value, event.key)
    else if (event.key === 'Escape') setClosedAt(typed?.begin ?? 0)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method is composing, Enter selects a word.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (onListKey(event) || recall(event)) return event.preventDefault()
    if (isShortcut(event, 'send')) {
      event.preventDefault()
      void submit()
    }
    if (!isShortcut(event, 'stop') || running === null) return
    if (unsure) void stop()
    setUnsure(!unsure)
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    attachments.add([...event.clipboardData.files])
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    attachments.add([...event.dataTransfer.files])
  }
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`overflow-hidden rounded-2xl border bg-surface shadow-card focus-within:border-faint ${over ? 'border-cloud' : 'border-control'}`}
    >
      {held !== null && <OtherDeviceNotice id={heldId} device_id={held} />}
      {suggestions && (
        <Mentions
          id={listId}
          label={files ? writingWords.files : commands ? slashWords.commands : slashWords.choices}
          suggestions={suggestions}
          chosen={Math.min(chosen, suggestions.length - 1)}
          onChoose={choose}
        />
      )}
      <div className="space-y-2 px-3 pt-3 empty:hidden">
        <AttachmentList attachments={attachments.kept} coming={attachments.coming} onRemove={attachments.remove} />
        {unseenPictures(attachments.kept).map(({ file_id, name }) => (
          <p key={file_id} role="alert" className="break-words text-sm text-warn">
            {writingWords.unseen(visibleText(name), limits.image_bytes)}
          </p>
        ))}
        {attachments.complaint !== null && (
          <p role="alert" className="text-sm text-warn">
            {attachments.complaint}
          </p>
        )}
      </div>
      <textarea
        ref={area}
        id="composer"
        value={text}
        onChange={(event) => {
          wrong.onEdit()
          setText(event.target.value)
          setCaret(event.target.selectionStart)
          setChosen(0)
          setNotice(null)
          setClosedAt(null)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        rows={1}
        maxLength={1_000_000}
        // biome-ignore lint/a11y/noAutofocus: the user opened a new conversation to write.
        autoFocus={autoFocus}
        aria-label={words.composer.label}
        data-field="text"
        aria-invalid={wrong.input['aria-invalid']}
        aria-describedby={wrong.error === null ? (held === null ? undefined : heldId) : wrong.errorId}
        aria-autocomplete="list"
        aria-controls={suggestions ? listId : undefined}
        aria-activedescendant={suggestions && suggestions.length > 0 ? `${listId}-${Math.min(chosen, suggestions.length - 1)}` : undefined}
        placeholder={over ? writingWords.drop : (placeholder ?? words.composer.placeholder)}
        className="block max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-faint"
      />
      <div className="px-4 empty:hidden">
        <FieldError id={wrong.errorId} error={wrong.error} />
        {notice && (
          <p role="alert" className="flex flex-wrap items-center gap-2 py-1 text-sm text-warn">
            {notice.said}
            {notice.offers === 'send' && (
              <button type="button" className="quiet-field" onClick={() => void submit('text')}>
                {slashWords.sendAsText}
              </button>
            )}
          </p>
        )}
      </div>
      <ComposerBar
        options={options}
        onFiles={attachments.add}
        hint={unsure ? writingWords.escape : (hint ?? writingWords.keys)}
        running={running}
        onStop={() => void stop()}
        cannotSend={obstacle() !== null && !parseSlashCommand(text)}
        isSendable={!isOpen || !isEmpty}
      />
    </form>
  )
}
