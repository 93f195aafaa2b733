// What "stricter" means for each field of a policy. Pure; all code that combines policies uses it.
import { approvalModes, sandboxModes } from '@tandem/contract/tool'
import type { CallPolicy, CallPolicyField } from '../call/call-policy.ts'
import { coversScope, intersectScopes } from './file-scope.ts'
import { coversHosts, intersectHosts } from './host-pattern.ts'

interface FieldOrder<Value> {
  /** Never wider than either. */
  both(one: Value, other: Value): Value
  /** Whether `outer` allows everything that `inner` allows. False if this cannot be determined. */
  covers(outer: Value, inner: Value): boolean
}

const orders: { readonly [Field in CallPolicyField]: FieldOrder<CallPolicy[Field]> } = {
  enabled: { both: (one, other) => one && other, covers: (outer, inner) => outer || !inner },
  approval_mode: fromWideToStrict(approvalModes),
  // Fewer calls and a longer period are stricter. If two limits differ in both, the combination has the stricter number of each.
  rate_limit: {
    both: (one, other) => ({ calls: Math.min(one.calls, other.calls), per_seconds: Math.max(one.per_seconds, other.per_seconds) }),
    covers: (outer, inner) => inner.calls <= outer.calls && inner.per_seconds >= outer.per_seconds,
  },
  time_limit: {
    both: (one, other) => ({ seconds: Math.min(one.seconds, other.seconds) }),
    covers: (outer, inner) => inner.seconds <= outer.seconds,
  },
  network_scope: {
    both: (one, other) => ({ hosts: intersectHosts(one.hosts, other.hosts) }),
    covers: (outer, inner) => coversHosts(outer.hosts, inner.hosts),
  },
  fs_scope: { both: intersectScopes, covers: coversScope },
  sandbox_mode: fromWideToStrict(sandboxModes),
}

const fields = Object.keys(orders) as CallPolicyField[]

/** The combination of both policies: in no field wider than either. */
export function stricter(one: CallPolicy, other: CallPolicy): CallPolicy {
  const both = <Field extends CallPolicyField>(field: Field): CallPolicy[Field] => {
    const { both: combine, covers }: FieldOrder<CallPolicy[Field]> = orders[field]
    // A value that is within the other is kept unchanged.
    if (covers(other[field], one[field])) return one[field]
    return covers(one[field], other[field]) ? other[field] : combine(one[field], other[field])
  }
  return {
    enabled: both('enabled'),
    approval_mode: both('approval_mode'),
    rate_limit: both('rate_limit'),
    time_limit: both('time_limit'),
    network_scope: both('network_scope'),
    fs_scope: both('fs_scope'),
    sandbox_mode: both('sandbox_mode'),
  }
}

/** The fields in which `other` allows more than `one`. */
export function looser(one: CallPolicy, other: CallPolicy): readonly CallPolicyField[] {
  const allowsMore = <Field extends CallPolicyField>(field: Field) => !orders[field].covers(one[field], other[field])
  return fields.filter((field) => allowsMore(field))
}

/** The fields whose meaning differs. */
export function changedFields(one: CallPolicy, other: CallPolicy): readonly CallPolicyField[] {
  const found = new Set([...looser(one, other), ...looser(other, one)])
  return fields.filter((field) => found.has(field))
}

function fromWideToStrict<Value>(order: readonly Value[]): FieldOrder<Value> {
  const rank = (value: Value) => order.indexOf(value)
  return {
    both: (one, other) => (rank(one) >= rank(other) ? one : other),
    covers: (outer, inner) => rank(inner) >= rank(outer),
  }
}
