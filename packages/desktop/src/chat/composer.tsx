// Where a person writes. What was typed stays until the runtime has it.
import { type SandboxMode, sandboxModes } from '@tandem/contract/tool'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDesk, useWindow } from '../desk/use-desk.ts'
import { Icon } from '../part/icon.tsx'
import { words } from '../strings/window.ts'
import { keepDraft, readDraft } from './draft.ts'

export interface Sending {
  readonly text: string
  readonly model?: string
  readonly sandbox_mode?: SandboxMode
  /** The same message sent again, after a connection broke, starts nothing twice. */
  readonly key: string
}

interface Props {
  /** Where the draft belongs: a conversation, or the new one. */
  readonly place: string
  readonly running: string | null
  readonly hint: string | null
  /** Resolves to whether the runtime has it. */
  send(sending: Sending): Promise<boolean>
  readonly autoFocus?: boolean
}

export function Composer({ place, running, hint, send, autoFocus = false }: Props) {
  const desk = useDesk()
  const [text, setText] = useState(() => readDraft(place))
  const [model, setModel] = useState('')
  const [mode, setMode] = useState<SandboxMode | ''>('')
  const [sending, setSending] = useState(false)
  const defaultModel = useWindow((state) => state.status?.model.default_model ?? null)
  const key = useRef(crypto.randomUUID())
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => keepDraft(place, text), [place, text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: grows with its text.
  useLayoutEffect(() => {
    const { current } = area
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${Math.min(current.scrollHeight, 240)}px`
  }, [text])

  const submit = async () => {
    if (text.trim() === '' || sending || running !== null) return
    setSending(true)
    const done = await send({
      text,
      key: key.current,
      ...(model.trim() ? { model: model.trim() } : {}),
      ...(mode ? { sandbox_mode: mode } : {}),
    })
    setSending(false)
    if (!done) return
    key.current = crypto.randomUUID()
    keepDraft(place, '')
    setText('')
    area.current?.focus()
  }
  const stop = () => running !== null && desk.ask(words.doing.stop, 'agent_run_cancel', { run_id: running })
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void submit()
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className="rounded-2xl border border-line-strong bg-surface shadow-card focus-within:border-faint"
    >
      <textarea
        ref={area}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        rows={1}
        maxLength={1_000_000}
        // biome-ignore lint/a11y/noAutofocus: a new conversation begins with writing.
        autoFocus={autoFocus}
        aria-label={words.composer.label}
        placeholder={words.composer.placeholder}
        className="block max-h-60 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-faint"
      />
      <div className="flex items-center gap-1.5 px-2.5 pb-2.5">
        <input
          value={model}
          onChange={(event) => setModel(event.target.value)}
          aria-label={words.composer.model}
          title={words.composer.model}
          placeholder={defaultModel ?? words.composer.agentsModel}
          className="quiet-field w-32 min-w-0 sm:w-44"
        />
        <select
          value={mode}
          onChange={(event) => setMode(sandboxModes.find((one) => one === event.target.value) ?? '')}
          aria-label={words.composer.sandbox}
          title={words.composer.sandbox}
          className="quiet-field min-w-0"
        >
          <option value="">{words.composer.agentsSandbox}</option>
          {sandboxModes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <span className="invisible min-w-0 grow truncate text-right text-faint text-xs sm:visible">{hint ?? words.composer.keys}</span>
        {running === null ? (
          <button
            type="submit"
            disabled={text.trim() === '' || sending}
            aria-label={words.composer.send}
            title={words.composer.send}
            className="round-button"
          >
            <Icon name="send" />
          </button>
        ) : (
          <button type="button" onClick={stop} aria-label={words.composer.stop} title={words.composer.stop} className="round-button">
            <Icon name="stop" />
          </button>
        )}
      </div>
    </form>
  )
}
