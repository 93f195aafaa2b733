// A conversation that is not in the lists: deleted and restorable, erased, unknown, or older than what was read so far.
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { isUnknown } from '../part/unknown.ts'
import { useTitle } from '../part/use-title.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { NewConversationLink } from './new-conversation-link.tsx'

const told = navigationWords.gone

export function GoneConversation({ conversation_id }: { conversation_id: string }) {
  const client = useRuntimeClient()
  useTitle('')
  const { state, reload } = useRequest(conversation_id, async () => {
    const answer = await client.channel.call('conversation_get', { conversation_id })
    if (!answer.ok || answer.value.conversation.deletion) return answer
    const read = await client.readConversation(conversation_id)
    return read.ok ? answer : read
  })
  const deletion = state.state === 'ready' ? state.value.conversation.deletion : undefined
  // One that is there is shown as soon as it was read.
  if (state.state === 'loading' || (state.state === 'ready' && !deletion)) return <p className="p-8 text-faint">{words.loading}</p>
  const isErased = state.state === 'failed' && state.error.code === 'conversation_erased'
  if (state.state === 'failed' && !isErased && !isUnknown(state.error)) {
    return (
      <div className="mx-auto max-w-md px-6 py-24">
        <LoadError error={state.error} again={() => void reload()} />
      </div>
    )
  }
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
