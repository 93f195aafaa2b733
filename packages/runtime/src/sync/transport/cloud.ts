// The cloud for the engine: a few calls, with results as values. Sockets, tokens and retries are behind it.
import type { Device, DeviceRegistration, Heartbeat, HeartbeatReply } from '@tandem/contract/device'
import type { PullQuery, PullReply, PushReply, PushRequest } from '@tandem/contract/sync'
import type { CloudResult } from '../../account/cloud-result.ts'

export type { CloudFailure as NoAnswer, CloudResult as Answer } from '../../account/cloud-result.ts'

export interface SyncCloud {
  push(request: PushRequest): Promise<CloudResult<PushReply>>
  pull(query: PullQuery): Promise<CloudResult<PullReply>>
}

export interface CloudDevice {
  device(device_id: string): Promise<CloudResult<Device>>
  register(device: DeviceRegistration): Promise<CloudResult<unknown>>
  heartbeat(heartbeat: Heartbeat): Promise<CloudResult<HeartbeatReply>>
}

export interface CloudFiles {
  /** The same name twice is one file. */
  send(name: string, path: string): Promise<CloudResult<unknown>>
  fetch(name: string, path: string): Promise<CloudResult<'fetched' | 'missing'>>
}
