// What needs an answer, in one place: approvals and questions of all conversations, by conversation.
import { conversationAddress, followLink } from '../address.ts'
import { QuestionForm } from '../card/question-body.tsx'
import { useWindowState } from '../client/use-client.ts'
import { Approval } from '../dock/approval.tsx'
import { Asker } from '../dock/asker.tsx'
import { useFocusAfterAnswer } from '../dock/use-focus-after-answer.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { type PendingItem, pendingGroups } from '../store/pending.ts'
import { memberOf } from '../store/team.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const told = navigationWords.pending

export default function Pending() {
  const approvals = useWindowState((state) => state.approvals)
  const questions = useWindowState((state) => state.questions)
  const runs = useWindowState((state) => state.runs)
  const teams = useWindowState((state) => state.teams)
  const conversations = useWindowState((state) => state.conversations)
  const around = useFocusAfterAnswer('#content h1')
  const groups = pendingGroups({ approvals, questions, runs, teams })
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  return (
    <PageLayout title={told.title} lead={told.lead}>
      <p role="status" className="mb-4 text-soft">
        {count === 0 ? '' : told.count(count)}
      </p>
      {count === 0 && <EmptyState>{told.none}</EmptyState>}
      <div ref={around}>
        {groups.map(({ conversation_id, items }) => {
          const title = visibleText((conversation_id && conversations?.get(conversation_id)?.title) || told.unknown)
          return (
            <section key={conversation_id} aria-label={title} className="mb-8">
              <h2 className="mb-2 flex flex-wrap items-baseline gap-x-3 font-medium">
                <span className="min-w-0 break-words">{title}</span>
                {conversation_id && (
                  <a
                    href={conversationAddress(conversation_id)}
                    onClick={followLink}
                    aria-label={`${told.open}: ${title}`}
                    className="font-normal text-cloud text-sm underline underline-offset-4"
                  >
                    {told.open}
                  </a>
                )}
              </h2>
              <div className="space-y-2">
                {items.map((item) => (
                  <Request key={item.id} item={item} place={conversation_id} />
                ))}
              </div>
            </section>
          )
        })}
      </div>
    </PageLayout>
  )
}

function Request({ item, place }: { item: PendingItem; place: string | null }) {
  const { run_id } = item
  const run = useWindowState((state) => state.runs.get(run_id))
  const teams = useWindowState((state) => state.teams)
  // Another member of the team asks than the one whose conversation this is.
  const member = run && run.conversation_id !== place ? memberOf({ teams }, run_id) : null
  const asker = member && <Asker member={member} />
  if (item.kind === 'approval') return <Approval run_id={run_id} approval={item.approval} asker={asker} />
  return (
    <section aria-label={words.question.waiting} className="dock-box border-cloud-line">
      <p className="mb-2 text-cloud text-sm">{words.question.waiting}</p>
      {asker}
      <QuestionForm run_id={run_id} question={item.question} />
    </section>
  )
}
