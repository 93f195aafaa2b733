// The todos of a conversation. Each can be changed here, even while a run is active.
import type { Card } from '@tandem/contract/card'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { FieldError, Form, FormError } from '../part/form/form.tsx'
import { useField, useForm } from '../part/form/use-form.ts'
import { Icon } from '../part/icon.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

type Todos = readonly Extract<Card, { kind: 'TodoCard' }>['todos'][number][]
type TodoState = Todos[number]['state']

const after: Record<TodoState, TodoState> = {
  pending: 'in_progress',
  in_progress: 'completed',
  completed: 'pending',
  canceled: 'pending',
  deleted: 'pending',
}

interface Props {
  readonly conversation_id: string
  readonly todos: Todos
}

export function TodoBody({ conversation_id, todos }: Props) {
  const client = useRuntimeClient()
  const [title, setTitle] = useState('')
  // An edit made here, shown until the journal has it.
  const [mine, setMine] = useState<{ readonly instead: Todos; readonly todos: Todos } | null>(null)
  const shown = (mine?.instead === todos ? mine.todos : todos).filter(({ state }) => state !== 'deleted')
  const change = async (edit: { id: string; state: TodoState }) => {
    const answer = await client.call(words.doing.todo, 'todo_update', { conversation_id, edits: [edit] })
    if (answer.ok) setMine({ instead: todos, todos: answer.value.todos })
  }
  const form = useForm({ doing: words.doing.todo })
  const add = async () => {
    const text = title.trim()
    if (text === '') return
    const answer = await form.send(() => client.channel.call('todo_update', { conversation_id, edits: [{ title: text }] }))
    if (!answer.ok) return
    // Text typed in the meantime is the next todo.
    setTitle((now) => (now.trim() === text ? '' : now))
    setMine({ instead: todos, todos: answer.value.todos })
  }
  return (
    <div className="space-y-2">
      {shown.length === 0 && <p className="text-faint">{words.cards.noTodos}</p>}
      <ul className="space-y-0.5">
        {shown.map(({ id, title: text, state, note }) => (
          <li key={id} className="group/todo flex items-start gap-2">
            <button
              type="button"
              onClick={() => change({ id, state: after[state] })}
              aria-label={words.todos.mark(visibleText(text), words.todos.states[state])}
              data-state={state}
              className="todo-mark"
            >
              {state === 'completed' && <Icon name="check" size={12} />}
              {state === 'in_progress' && <span className="size-1.5 rounded-full bg-cloud" />}
            </button>
            <span className={`min-w-0 grow break-words ${state === 'completed' || state === 'canceled' ? 'text-faint line-through' : ''}`}>
              {visibleText(text)}
              {note && <span className="block text-faint text-sm">{visibleText(note)}</span>}
            </span>
            <span className="shrink-0 text-faint text-sm">{words.todos.states[state]}</span>
            <button
              type="button"
              onClick={() => change({ id, state: 'deleted' })}
              aria-label={`${words.todos.remove} ${visibleText(text)}`}
              className="icon-button opacity-0 focus-visible:opacity-100 group-hover/todo:opacity-100 pointer-coarse:opacity-100"
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
      <Form form={form} onSubmit={add}>
        <div className="flex gap-2">
          <TitleField value={title} onChange={setTitle} />
          <Button type="submit" disabled={title.trim() === ''}>
            {words.todos.add}
          </Button>
        </div>
        <FormError />
      </Form>
    </div>
  )
}

function TitleField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { error, errorId, input, onEdit } = useField('edits[0].title')
  return (
    <div className="grow">
      <input
        value={value}
        onChange={(event) => {
          onEdit()
          onChange(event.target.value)
        }}
        aria-label={words.todos.addLabel}
        placeholder={words.todos.addLabel}
        maxLength={500}
        className="field w-full py-1 text-sm"
        {...input}
      />
      <FieldError id={errorId} error={error} />
    </div>
  )
}
