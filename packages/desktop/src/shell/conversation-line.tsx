import type { Conversation } from '@tandem/contract/command'
import { type MouseEvent, memo, useRef, useState } from 'react'
import { followLink } from '../address.ts'
import { type ExportFormat, exportedName, exportedText, saveAs } from '../chat/export-conversation.ts'
import { readThreadMessages } from '../client/branch-messages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { LearnSwitch } from '../learning/learn-switch.tsx'
import { FieldError, Form, FormError } from '../part/form/form.tsx'
import { useField, useForm } from '../part/form/use-form.ts'
import { Icon } from '../part/icon.tsx'
import { standingIn, standingsOf } from '../store/standings.ts'
import { branchWords } from '../strings/branching.ts'
import { learningWords } from '../strings/learning.ts'
import { navigationWords } from '../strings/navigation.ts'
import { exportWords } from '../strings/reading.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { deleteLines, hideLines, pinLines, wholeFamily } from './conversation-actions.ts'
import { EndedMark } from './ended-mark.tsx'

interface LineProps {
  readonly id: string
  readonly conversation: Conversation
  /** The conversation and its branches: what is changed here is changed for all of them. */
  readonly family: readonly Conversation[]
  readonly isCurrent: boolean
  readonly isSelected: boolean
  onClick(event: MouseEvent, id: string): void
  onSelect(id: string): void
}

export const ConversationLine = memo(function ConversationLine(props: LineProps) {
  const { id, conversation, family, isCurrent, isSelected, onClick, onSelect } = props
  const { conversation_id, hidden } = conversation
  const title = visibleText(conversation.title)
  const client = useRuntimeClient()
  const menu = useRef<HTMLButtonElement>(null)
  const [doing, setDoing] = useState<'nothing' | 'choosing' | 'renaming'>('nothing')
  const [name, setName] = useState(conversation.title)
  const form = useForm({ doing: words.doing.rename })
  const rename = async () => {
    const text = name.trim()
    if (text === '' || text === conversation.title) return setDoing('nothing')
    if (form.isBusy) return
    const answer = await form.send(() => client.channel.call('conversation_rename', { conversation_id, title: text }))
    if (!answer.ok) return
    const whole = await wholeFamily(client, family)
    if (!whole.ok) client.showError(words.doing.rename, whole.error)
    for (const { conversation_id: other } of whole.ok ? whole.value : []) {
      if (other !== conversation_id) await client.call(words.doing.rename, 'conversation_rename', { conversation_id: other, title: text })
    }
    setDoing('nothing')
    await client.refreshLists()
  }
  const isPinned = family.some(({ pinned }) => pinned)
  // The focus moves first: a dialog that opens returns it there.
  const act = (work: () => unknown) => () => {
    setDoing('nothing')
    menu.current?.focus()
    work()
  }
  const save = async (format: ExportFormat) => {
    setDoing('nothing')
    // What it continues from may be older than what was read.
    const read = await client.readConversation(conversation_id)
    if (!read.ok) return client.showError(exportWords.doing, read.error)
    const answer = await readThreadMessages(client.channel, client.store.get().conversations, conversation_id)
    if (!answer.ok) return client.showError(exportWords.doing, answer.error)
    client.succeeded(exportWords.doing)
    saveAs(exportedName(conversation, format), exportedText(format, conversation, answer.value))
  }
  const startRenaming = () => {
    setName(conversation.title)
    setDoing('renaming')
  }
  const { list } = navigationWords
  const actions: readonly (readonly [string, () => void])[] = [
    [words.conversations.rename, startRenaming],
    [isPinned ? list.unpin : list.pin, act(() => pinLines(client, [family], !isPinned))],
    [hidden ? words.conversations.unhide : words.conversations.hide, act(() => hideLines(client, [family], !hidden))],
    [list.select, act(() => onSelect(id))],
    [exportWords.action.markdown, () => void save('markdown')],
    [exportWords.action.json, () => void save('json')],
  ]
  if (doing === 'renaming') {
    return (
      <li>
        <Form form={form} onSubmit={rename}>
          <TitleField
            label={words.conversations.renameTitle(title)}
            value={name}
            onChange={setName}
            onLeave={rename}
            onCancel={() => setDoing('nothing')}
          />
          <FormError />
        </Form>
      </li>
    )
  }
  return (
    <li className="conversation-line group/line relative">
      <a
        href={`/c/${conversation_id}`}
        data-line={id}
        data-selected={isSelected}
        onClick={(event) => {
          onClick(event, id)
          followLink(event)
        }}
        aria-current={isCurrent ? 'page' : undefined}
        className="side-link pr-8"
      >
        <Mark family={family} />
        <EndedMark conversations={family} />
        {isSelected && (
          <span className="shrink-0 text-cloud">
            <Icon name="check" size={13} />
            <span className="sr-only">{list.isSelected}</span>
          </span>
        )}
        <span title={title} className="truncate">
          {title}
        </span>
        {family.length > 1 && (
          <span className="ml-auto inline-flex shrink-0 items-center gap-0.5 text-faint text-xs" title={branchWords.count(family.length)}>
            <Icon name="branch" size={12} /> {family.length}
            <span className="sr-only">{branchWords.count(family.length)}</span>
          </span>
        )}
      </a>
      <button
        type="button"
        ref={menu}
        aria-label={words.conversations.more(title)}
        aria-expanded={doing === 'choosing'}
        onClick={() => setDoing(doing === 'choosing' ? 'nothing' : 'choosing')}
        className="icon-button absolute top-1 right-1 opacity-0 focus-visible:opacity-100 group-hover/line:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
      >
        <Icon name="more" />
      </button>
      {doing === 'choosing' && (
        <div className="mx-1 mt-0.5 mb-1.5 grid gap-0.5 rounded-lg border border-line bg-surface p-1">
          {actions.map(([label, run]) => (
            <button key={label} type="button" onClick={run} className="quiet-field text-left">
              {label}
            </button>
          ))}
          <div className="px-2 py-1">
            <LearnSwitch kind="conversation" id={conversation_id} label={learningWords.switch.label} />
          </div>
          <div className="grid border-line border-t pt-1">
            <button type="button" onClick={act(() => deleteLines([family]))} className="quiet-field text-left text-bad">
              {list.delete}
            </button>
          </div>
        </div>
      )}
    </li>
  )
})

interface TitleProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
  onLeave(): void
  onCancel(): void
}

function TitleField({ label, value, onChange, onLeave, onCancel }: TitleProps) {
  const { error, errorId, input, onEdit } = useField('title')
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the user just opened it.
        autoFocus
        value={value}
        maxLength={500}
        onChange={(event) => {
          onEdit()
          onChange(event.target.value)
        }}
        // A refused name stays until it is corrected or canceled.
        onBlur={() => error === null && onLeave()}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        aria-label={label}
        className="field w-full py-1 text-sm"
        {...input}
      />
      <FieldError id={errorId} error={error} />
    </>
  )
}

/** A mark with its label. */
function Mark({ family }: { family: readonly Conversation[] }) {
  const standing = useWindowState((state) => standingIn(standingsOf(state), family))
  if (!standing) return null
  return (
    <span
      role="img"
      aria-label={words.conversations[standing]}
      title={words.conversations[standing]}
      className={`size-2.5 shrink-0 rounded-full ${standing === 'waiting' ? 'border-2 border-warn' : 'bg-cloud motion-safe:animate-pulse'}`}
    />
  )
}
