// "What this run taught", below the card of a finished run. Its space is there from the start, so it never moves what the user reads.
import { useEffect, useRef, useState } from 'react'
import { followLink, learningAddress } from '../../address.ts'
import { useWindowState } from '../../client/use-client.ts'
import { Badge } from '../../part/badge.tsx'
import { SmallFold } from '../../part/fold.tsx'
import { isOnOtherDevice } from '../../store/open-run.ts'
import { learningWords } from '../../strings/learning.ts'
import { visibleText } from '../../text/visible.ts'
import { Facts } from '../facts.tsx'
import { reasonsOf } from '../outcome/chart.ts'
import { recommendationRows } from '../recommendations.tsx'
import { verdictTones } from '../tones.ts'
import { isTelling, type RunLesson, useRunLesson } from './use-run-lesson.ts'

const told = learningWords.run

export function RunLessonLine({ card }: { card: { readonly run_id: string; readonly device_id: string } }) {
  const isAway = useWindowState((state) => isOnOtherDevice(state, card))
  return isAway ? null : <Line run_id={card.run_id} />
}

function Line({ run_id }: { run_id: string }) {
  const frame = useRef<HTMLDivElement>(null)
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const { current } = frame
    if (!current) return
    const watching = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInView(true)
    })
    watching.observe(current)
    return () => watching.disconnect()
  }, [])
  const lesson = useRunLesson(run_id, isInView)
  return (
    <div ref={frame} data-lesson={run_id} className="min-h-6 px-3 pt-0.5">
      {lesson && isTelling(lesson) && <SmallFold summary={told.title}>{() => <Lesson lesson={lesson} />}</SmallFold>}
    </div>
  )
}

function Lesson({ lesson: { evaluation, second_opinion, dropped_opinion, reflection, patterns } }: { lesson: RunLesson }) {
  const isCaused = reflection !== null && reflection.affected_subsystem !== 'none'
  return (
    <div className="rounded-lg border border-line bg-surface p-3">
      <Facts
        rows={[
          ...(evaluation ? [[told.outcome, <Outcome key="outcome" evaluation={evaluation} />] as const] : []),
          ...(second_opinion
            ? [[learningWords.outcomes.secondOpinion, <Outcome key="second" evaluation={second_opinion} />] as const]
            : []),
          ...(dropped_opinion && !second_opinion
            ? [[learningWords.outcomes.secondOpinion, told.dropped(visibleText(dropped_opinion.reason))] as const]
            : []),
          ...(isCaused ? [[told.cause, visibleText(reflection.root_cause)] as const] : []),
          ...(patterns.length > 0 ? [[told.patterns, <Patterns key="patterns" patterns={patterns} />] as const] : []),
          ...(reflection ? recommendationRows(reflection) : []),
        ]}
      />
      <p className="mt-2">
        <a href={learningAddress()} onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.open}
        </a>
      </p>
    </div>
  )
}

function Outcome({ evaluation }: { evaluation: NonNullable<RunLesson['evaluation']> }) {
  const { verdict, score } = evaluation
  return (
    <>
      <Badge tone={verdictTones[verdict]}>{learningWords.verdicts[verdict]}</Badge> {learningWords.percent(score)}
      <ul>
        {reasonsOf(evaluation).map(({ dimension, reason }) => (
          <li key={dimension} className="text-soft">
            <span className="text-faint">{learningWords.dimensions[dimension]}:</span> {visibleText(reason)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Patterns({ patterns }: Pick<RunLesson, 'patterns'>) {
  return (
    <ul>
      {patterns.map(({ id, summary, runs }) => (
        <li key={id}>
          <a href={learningAddress('patterns')} onClick={followLink} className="text-cloud underline underline-offset-4">
            {visibleText(summary)}
          </a>{' '}
          <span className="text-faint">{told.patternSeen(runs)}</span>
        </li>
      ))}
    </ul>
  )
}
