import type { Conversation } from '@tandem/contract/command'
import type { TodoItem } from '@tandem/contract/sync'
import { useEffect, useState } from 'react'
import { followLink } from '../address.ts'
import { TodoBody } from '../card/todo-body.tsx'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

/** The most recently changed conversations. */
const mostConversations = 50

export default function Todos() {
  const conversations = useWindowState((state) => state.conversations)
  const lists = useTodos(conversations)
  return (
    <PageLayout title={words.todos.title} lead={words.todos.lead}>
      {lists === null && <p className="text-faint">{words.loading}</p>}
      {lists?.length === 0 && <EmptyState>{words.todos.none}</EmptyState>}
      <div className="space-y-4">
        {lists?.map(({ conversation: { conversation_id, title }, todos }) => (
          <Panel key={conversation_id} className="p-4">
            <h2 className="mb-2 font-medium">
              <a href={`/c/${conversation_id}`} onClick={followLink} className="text-cloud underline underline-offset-4">
                {visibleText(title)}
              </a>
            </h2>
            <TodoBody conversation_id={conversation_id} todos={todos} />
          </Panel>
        ))}
      </div>
    </PageLayout>
  )
}

interface TodoList {
  readonly conversation: Conversation
  readonly todos: readonly TodoItem[]
}

function useTodos(conversations: ReadonlyMap<string, Conversation> | null): readonly TodoList[] | null {
  const { channel } = useRuntimeClient()
  const [lists, setLists] = useState<readonly TodoList[] | null>(null)
  useEffect(() => {
    if (!conversations) return
    let left = false
    const latest = [...conversations.values()].filter(({ hidden }) => !hidden).slice(0, mostConversations)
    void Promise.all(
      latest.map(async (conversation) => {
        const answer = await readAll(channel, 'todo_list', { conversation_id: conversation.conversation_id })
        return { conversation, todos: answer.ok ? answer.value.items : [] }
      }),
    ).then((read) => {
      if (!left) setLists(read.filter(({ todos }) => todos.some(({ state }) => state !== 'deleted')))
    })
    return () => {
      left = true
    }
  }, [conversations, channel])
  return lists
}
