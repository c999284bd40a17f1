{{/* Refuses values that would be served in another way than they read. */}}
{{- define "stuntdouble.check" -}}
{{- $values := .Values -}}
{{- $most := int $values.replicaCount -}}
{{- if $values.autoscaling.enabled -}}
{{- $most = int $values.autoscaling.maxReplicas -}}
{{- if gt (int $values.autoscaling.minReplicas) $most -}}
{{- fail (printf "autoscaling.minReplicas is %v and maxReplicas %v: expected no more than that" $values.autoscaling.minReplicas $values.autoscaling.maxReplicas) -}}
{{- end -}}
{{- if not (or $values.autoscaling.targetCPUUtilizationPercentage $values.autoscaling.targetMemoryUtilizationPercentage) -}}
{{- fail "autoscaling has no target: set targetCPUUtilizationPercentage or targetMemoryUtilizationPercentage" -}}
{{- end -}}
{{- end -}}
{{- with include "stuntdouble.sharedElsewhere" . -}}
{{- fail (printf "%sset shared.url or shared.existingSecret, and shared.name, in its place" .) -}}
{{- end -}}
{{- if and (gt $most 1) (not (include "stuntdouble.isShared" .)) (not $values.allowUnshared) -}}
{{- fail (printf "%d replicas that share nothing are %d mock servers: a stub that one is told, the others do not know. Set shared.url or shared.existingSecret (a Redis or Valkey), or allowUnshared: true if all stubs are in files and no test reads a journal" $most $most) -}}
{{- end -}}
{{- if and $values.shared.url $values.shared.existingSecret -}}
{{- fail "shared.url and shared.existingSecret are both set: which URL counts? Remove one" -}}
{{- end -}}
{{- if and $values.mocks $values.mocksVolume -}}
{{- fail "mocks and mocksVolume are both set, and both are /mocks: remove one" -}}
{{- end -}}
{{- if or $values.mocks $values.mocksVolume -}}
{{- if $values.mappings -}}
{{- fail "mappings are not served beside mocks or mocksVolume: put these files there, too" -}}
{{- end -}}
{{- if include "stuntdouble.argument" (dict "args" $values.args "name" "root-dir" "least" "ro") -}}
{{- fail "args have --root-dir, which is served in place of /mocks: remove it, or give mappings in place of mocks and mocksVolume" -}}
{{- end -}}
{{- end -}}
{{- if and $values.mocksVolume $values.responses -}}
{{- fail "responses are not served beside mocksVolume: put these files into the folder __files of that volume" -}}
{{- end -}}
{{- $port := include "stuntdouble.argument" (dict "args" $values.args "name" "port" "letter" "p") -}}
{{- if and $port (ne $port (toString $values.service.internalPort)) -}}
{{- fail (printf "args have --port %s, and service.internalPort is %v: expected the same, or no --port" $port $values.service.internalPort) -}}
{{- end -}}
{{- range $kind := list "mappings" "responses" -}}
{{- if dig $kind "enabled" false ($values.persistence | default dict) -}}
{{- fail (printf "persistence.%s is not had here: give a claim of yours as mocksVolume, with mappings and __files in it" $kind) -}}
{{- end -}}
{{- end -}}
{{- if and $values.podDisruptionBudget.enabled (not (include "stuntdouble.amount" $values.podDisruptionBudget.minAvailable)) (not (include "stuntdouble.amount" $values.podDisruptionBudget.maxUnavailable)) -}}
{{- fail "podDisruptionBudget has neither minAvailable nor maxUnavailable: set one" -}}
{{- end -}}
{{- end }}
