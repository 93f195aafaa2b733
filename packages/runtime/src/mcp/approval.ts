// The user's approval of what a server runs.

export interface Approval {
  /** As shown in the preview: an approval of anything else is refused. */
  readonly definition_sha256: string
  readonly network_hosts: readonly string[]
}

export interface NamedApproval extends Approval {
  readonly server_id: string
}
