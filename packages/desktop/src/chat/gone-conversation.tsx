// A conversation that is not in the lists: deleted and restorable, erased, or unknown.
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { useTitle } from '../part/use-title.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { NewConversationLink } from './new-conversation-link.tsx'

const told = navigationWords.gone

export function GoneConversation({ conversation_id }: { conversation_id: string }) {
  const client = useRuntimeClient()
  useTitle('')
  const { state } = useCommand('conversation_get', { conversation_id })
  if (state.state === 'loading') return <p className="p-8 text-faint">{words.loading}</p>
  const deletion = state.state === 'ready' ? state.value.conversation.deletion : undefined
  const isErased = state.state === 'failed' && state.error.code === 'conversation_erased'
  const restore = async () => {
    await client.call(navigationWords.list.doing.restore, 'conversation_restore', { conversation_ids: [conversation_id] })
    await client.refreshLists()
  }
  const title = deletion ? told.deleted : isErased ? told.erased : words.conversations.gone
  return (
    <div className="mx-auto max-w-md px-6 py-24 text-center">
      <h1 className="mb-2 font-semibold text-xl">{title}</h1>
      <p className="text-soft">
        {deletion ? told.restorable(formatTime(deletion.erased_from)) : isErased ? told.erasedLead : words.conversations.goneRemedy}
      </p>
      <p className="mt-4">
        {deletion ? <Button onClick={() => void restore()}>{navigationWords.list.restore}</Button> : <NewConversationLink />}
      </p>
    </div>
  )
}
