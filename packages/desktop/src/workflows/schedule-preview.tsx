// The next times of a schedule that is not saved yet, in its time zone, or what is wrong with it.
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { workflowWords } from '../strings/workflows.ts'
import { visibleSentence } from '../text/sentence.ts'
import { formatTimeIn } from '../text/zoned-time.ts'

const told = workflowWords.schedules
const pause_ms = 300

export function SchedulePreview({ cron, time_zone }: { cron: string; time_zone: string }) {
  const { clock } = useRuntimeClient()
  const [settled, setSettled] = useState({ cron, time_zone })
  useEffect(() => clock.after(pause_ms, () => setSettled({ cron, time_zone })), [clock, cron, time_zone])
  const { state: asked } = useCommand('workflow_schedule_check', settled)
  if (asked.state !== 'ready' || settled.cron === '') return null
  const { times, problem } = asked.value
  return problem === null ? (
    <p role="status" className="text-pretty text-sm text-soft">
      {told.nextTimes(times.map((time) => formatTimeIn(settled.time_zone, time)))}
    </p>
  ) : (
    <p role="status" className="break-words text-bad text-sm">
      {visibleSentence(problem)}
    </p>
  )
}
