// What the reader can do with a message: send it again, changed or not, get another answer, or continue from it in a branch.
import type { ListedMessage } from '@tandem/contract/command'
import { Icon, type IconName } from '../part/icon.tsx'
import { branchWords } from '../strings/branching.ts'
import { editMessage, requestBranch } from './branching.ts'

export function BranchActions({ message }: { message: ListedMessage }) {
  const { role, author = 'person', text } = message
  // Prompts of tasks and workflows are not the user's to send again.
  const isOwn = role === 'user' && (author === 'person' || author === 'import')
  return (
    <>
      {isOwn && <Action icon="edit" label={branchWords.edit} act={() => editMessage(message.message_id)} />}
      {isOwn && <Action icon="again" label={branchWords.retry} act={() => requestBranch({ kind: 'resend', message, text })} />}
      {role === 'assistant' && (
        <Action icon="again" label={branchWords.regenerate} act={() => requestBranch({ kind: 'regenerate', message })} />
      )}
      <Action icon="branch" label={branchWords.branch} act={() => requestBranch({ kind: 'branch', message })} />
    </>
  )
}

function Action({ icon, label, act }: { icon: IconName; label: string; act(): void }) {
  return (
    <button type="button" onClick={act} aria-label={label} title={label} className="icon-button">
      <Icon name={icon} size={14} />
    </button>
  )
}
