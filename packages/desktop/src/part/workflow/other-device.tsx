import { useDeviceName } from '../../client/use-device-name.ts'
import { workflowGraphWords } from '../../strings/workflow-graph.ts'
import { workflowWords } from '../../strings/workflows.ts'
import { visibleName } from '../../text/name.ts'

/** Why a workflow run has no controls here. */
export function OtherDevice({ device_id }: { device_id: string }) {
  const name = useDeviceName(device_id)
  return (
    <p className="text-soft text-sm">
      {name === null ? workflowWords.run.otherDevice : workflowGraphWords.run.onDevice(visibleName(name))}
    </p>
  )
}
