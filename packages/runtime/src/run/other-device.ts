// A run of another device can only be read here. The error names the device and what to do instead.
import type { RunRecord } from '../journal/run-record.ts'

interface RunElsewhere {
  readonly ok: false
  readonly code: 'run_elsewhere'
  readonly message: string
}

/** Null if the cloud has not reported the name yet. */
type DeviceName = (device_id: string) => string | null

export function runOfOtherDevice({ run_id, device_id }: RunRecord, nameOf: DeviceName): RunElsewhere {
  return refused(`run ${run_id} belongs to ${called(device_id, nameOf)}`)
}

/** Two runs would write the same conversation, and neither device could stop the other. */
export function openOnOtherDevice({ run_id, device_id, state }: RunRecord, nameOf: DeviceName): RunElsewhere {
  const why = `run ${run_id} of this conversation is ${state} on ${called(device_id, nameOf)}`
  return refused(`${why}: stop it there, or start a new conversation here`)
}

function called(device_id: string, nameOf: DeviceName): string {
  const name = nameOf(device_id)
  return name === null ? `another device (${device_id})` : `the device "${name}"`
}

function refused(message: string): RunElsewhere {
  return { ok: false, code: 'run_elsewhere', message }
}
