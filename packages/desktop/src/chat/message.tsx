// The user's messages are bubbles on the right, the agent's use the full width, the system's are a light strip.
import type { ListedMessage } from '@tandem/contract/command'
import { ComingContext } from '../markdown/coming.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { correct } from '../memory/correction/correcting.ts'
import { Badge } from '../part/badge.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Icon } from '../part/icon.tsx'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { AttachmentList } from './attachment-list.tsx'
import { BranchActions } from './branch-actions.tsx'
import { useIsEditing } from './branching.ts'
import { CitedMarkdown } from './cited-markdown.tsx'
import { MessageEditor } from './message-editor.tsx'

export function MessageView({ message }: { message: ListedMessage }) {
  const { role, author = 'person', text, attachments, set_aside } = message
  const aside = set_aside ? 'set-aside' : ''
  const isEditing = useIsEditing(message.message_id)
  if (role === 'system') return <SystemMessage text={text} set_aside={set_aside} />
  if (role === 'user') {
    const by = author === 'person' ? words.thread.you : otherAuthor(author)
    return (
      <div data-role="user" className={`group/message flex flex-col items-end ${aside}`}>
        {author !== 'person' && (
          <p aria-hidden="true" className="mb-1 text-faint text-sm">
            {by}
          </p>
        )}
        {isEditing ? (
          <MessageEditor message={message} />
        ) : (
          <p dir="auto" className="max-w-[85%] whitespace-pre-wrap break-words rounded-2xl rounded-br-md bg-bubble px-4 py-2.5">
            <span className="sr-only">{by}: </span>
            {visibleText(text)}
          </p>
        )}
        {attachments.length > 0 && (
          <div className="mt-2 max-w-[85%]">
            <AttachmentList attachments={attachments} />
          </div>
        )}
        {!isEditing && <Foot message={message} />}
      </div>
    )
  }
  return (
    <div data-role="assistant" className={`group/message ${aside}`}>
      <span className="sr-only">{words.thread.assistant}: </span>
      <CitedMarkdown text={text} run_id={message.run_id} />
      <Foot message={message} />
    </div>
  )
}

/** A light strip: an event that has no author. */
export function SystemMessage({ text, set_aside }: { text: string; set_aside: boolean }) {
  return (
    <p data-role="system" className={`rounded-md bg-sunken px-3 py-1.5 text-center text-faint text-sm ${set_aside ? 'set-aside' : ''}`}>
      <span className="sr-only">{words.thread.system}: </span>
      {visibleText(text)}
      {set_aside && <Badge className="ml-1">{words.thread.setAside}</Badge>}
    </p>
  )
}

/** A newer version may use an author that is unknown here. */
function otherAuthor(author: string): string {
  const { authors } = words.thread
  return Object.hasOwn(authors, author) ? authors[author as keyof typeof authors] : words.thread.otherAuthor
}

function Foot({ message }: { message: ListedMessage }) {
  const { created_at: at, text, set_aside } = message
  return (
    <p className="message-foot">
      {set_aside && <Badge className="foot-mark">{words.thread.setAside}</Badge>}
      <time dateTime={at}>{formatTime(at)}</time>
      <CopyButton text={text} />
      <button
        type="button"
        onClick={() => correct(message)}
        aria-label={memoryWords.correction.open}
        title={memoryWords.correction.open}
        className="icon-button"
      >
        <Icon name="wrong" size={14} />
      </button>
      <BranchActions message={message} />
    </p>
  )
}

export function TextView({ text, standing }: { text: string; standing: 'coming' | 'cut' }) {
  return (
    <div data-role="assistant" data-standing={standing}>
      <ComingContext value={standing === 'coming'}>
        <Markdown text={text} />
      </ComingContext>
      {standing === 'coming' ? (
        <span className="caret" aria-hidden="true" />
      ) : (
        <p className="mt-1 text-faint text-sm">{words.thread.cut}</p>
      )}
    </div>
  )
}
