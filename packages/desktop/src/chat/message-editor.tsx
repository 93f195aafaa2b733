// A message of the user while it is edited. Sending it starts a branch; the message itself stays.
import type { ListedMessage } from '@tandem/contract/command'
import { keepDraft, readDraft } from '../store/draft.ts'
import { branchWords } from '../strings/branching.ts'
import { editMessage, requestBranch } from './branching.ts'
import { TextEditor } from './text-editor.tsx'
import { editPlace } from './use-branch.ts'

export function MessageEditor({ message }: { message: ListedMessage }) {
  const place = editPlace(message.message_id)
  return (
    <TextEditor
      text={readDraft(place) || message.text}
      label={branchWords.editing}
      action={branchWords.send}
      onChange={(text) => keepDraft(place, text === message.text ? '' : text)}
      onDone={(text) => requestBranch({ kind: 'resend', message, text })}
      onCancel={() => {
        keepDraft(place, '')
        editMessage(null)
        document.getElementById('composer')?.focus()
      }}
    />
  )
}
