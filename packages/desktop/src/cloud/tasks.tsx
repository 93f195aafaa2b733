import type { ListedTask, TaskMode } from '@tandem/contract/command'
import { taskModes } from '@tandem/contract/command'
import { useId, useState } from 'react'
import { followLink } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { LoadMore } from '../part/load-more.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { NeedAccount } from './need-account.tsx'
import { SendTask } from './send-task.tsx'
import { useAccount } from './use-account.ts'

const lookedEvery_ms = 5_000
const tones: Record<ListedTask['status'], Tone> = {
  pending: 'plain',
  running: 'cloud',
  completed: 'good',
  failed: 'bad',
  canceled: 'plain',
}

export default function Tasks() {
  const account = useAccount()
  return (
    <PageLayout title={words.tasks.title} lead={words.tasks.lead}>
      <RequestResult reading={account}>
        {() => (account.signedIn ? <Desk /> : <NeedAccount text={words.tasks.needAccount} />)}
      </RequestResult>
    </PageLayout>
  )
}

function Desk() {
  const id = useId()
  const [where, setWhere] = useState<'here' | 'cloud'>('here')
  const tasks = useCommand('task_list', { where, limit: 200 }, { every_ms: lookedEvery_ms })
  return (
    <>
      <Mode />
      <Section
        title={words.tasks.title}
        aside={
          <div className="flex items-center gap-2 text-faint text-sm">
            <label htmlFor={id}>{words.tasks.where}</label>
            <select
              id={id}
              value={where}
              onChange={(event) => setWhere(event.target.value === 'cloud' ? 'cloud' : 'here')}
              className="field py-1"
            >
              {(['here', 'cloud'] as const).map((one) => (
                <option key={one} value={one}>
                  {words.tasks.wheres[one]}
                </option>
              ))}
            </select>
          </div>
        }
      >
        <RequestResult reading={tasks}>
          {(list) => (
            <>
              <TaskLines tasks={list.items} onChange={tasks.reload} />
              <LoadMore list={list} />
            </>
          )}
        </RequestResult>
      </Section>
      <SendTask onSent={tasks.reload} />
    </>
  )
}

function Mode() {
  const client = useRuntimeClient()
  const mode = useCommand('task_get_mode', {})
  const set = async (wanted: TaskMode) => {
    await client.call(words.cloudDoing.taskMode, 'task_set_mode', { mode: wanted })
    await mode.reload()
  }
  return (
    <Section title={words.tasks.mode}>
      <RequestResult reading={mode}>
        {({ mode: now }) => (
          <fieldset className="grid gap-2 lg:grid-cols-2">
            <legend className="sr-only">{words.tasks.mode}</legend>
            {taskModes.map((one) => (
              <label key={one} className="option">
                <input type="radio" checked={now === one} onChange={() => set(one)} className="mt-1.5 accent-(--cloud)" />
                {words.tasks.modes[one]}
              </label>
            ))}
          </fieldset>
        )}
      </RequestResult>
    </Section>
  )
}

function TaskLines({ tasks, onChange }: { tasks: readonly ListedTask[]; onChange(): Promise<void> }) {
  const offers = tasks.filter(({ stage }) => stage === 'offered').length
  if (tasks.length === 0) return <EmptyState>{words.tasks.none}</EmptyState>
  return (
    <>
      <p role="status" className={offers > 0 ? 'mb-2 text-warn' : 'sr-only'}>
        {offers > 0 ? words.tasks.offers(offers) : ''}
      </p>
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {tasks.map((task) => (
            <TaskLine key={task.task_id} task={task} onChange={onChange} />
          ))}
        </ul>
      </Panel>
    </>
  )
}

function TaskLine({ task, onChange }: { task: ListedTask; onChange(): Promise<void> }) {
  const client = useRuntimeClient()
  const [busy, setBusy] = useState(false)
  const { task_id, stage, run_id } = task
  const conversation_id = useWindowState(({ runs }) => (run_id === null ? undefined : runs.get(run_id)?.conversation_id))
  const decide = async (how: 'task_accept' | 'task_decline') => {
    setBusy(true)
    await client.call(how === 'task_accept' ? words.cloudDoing.taskAccept : words.cloudDoing.taskDecline, how, { task_id })
    await Promise.all([onChange(), client.refreshLists()])
    setBusy(false)
  }
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-48">
          <span className="block break-words font-medium">{visibleText(task.title)}</span>
          <span className="block text-faint text-sm">
            {formatTime(task.created_at)}
            {stage !== null && ` · ${words.tasks.stages[stage]}`}
          </span>
        </span>
        <Badge tone={tones[task.status]}>{words.tasks.states[task.status]}</Badge>
      </div>
      {task.description !== null && <p className="mt-1 whitespace-pre-wrap break-words text-soft">{visibleText(task.description)}</p>}
      {task.error !== null && <p className="mt-1 break-words text-bad text-sm">{visibleText(task.error)}</p>}
      {stage === 'offered' && (
        <div className="mt-2 flex gap-2">
          <PrimaryButton onClick={() => decide('task_accept')} disabled={busy}>
            {words.tasks.accept}
          </PrimaryButton>
          <Button onClick={() => decide('task_decline')} disabled={busy}>
            {words.tasks.decline}
          </Button>
        </div>
      )}
      {conversation_id !== undefined && (
        <a
          href={`/c/${conversation_id}`}
          onClick={followLink}
          className="mt-1 inline-block text-cloud text-sm underline underline-offset-4"
        >
          {words.tasks.open}
        </a>
      )}
    </li>
  )
}
