{{- define "stuntdouble.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* At most 63 characters, as names of services have; the release's alone if it has the chart's in it. */}}
{{- define "stuntdouble.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "stuntdouble.selectorLabels" -}}
app.kubernetes.io/name: {{ include "stuntdouble.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "stuntdouble.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "stuntdouble.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "stuntdouble.serviceAccountName" -}}
{{- default (ternary (include "stuntdouble.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name }}
{{- end }}

{{/* The value of an option among `args`, as the daemon reads them: `--NAME=VALUE`, or `--NAME` and VALUE, the name perhaps cut
short to no less than `least`, and `-L VALUE`, `-LVALUE` for `letter`. */}}
{{- define "stuntdouble.argument" -}}
{{- $found := "" -}}
{{- $isNext := false -}}
{{- range .args -}}
{{- $word := toString . -}}
{{- if $isNext -}}
{{- $found = $word -}}
{{- $isNext = false -}}
{{- else if hasPrefix "--" $word -}}
{{- $parts := splitn "=" 2 $word -}}
{{- if and (hasPrefix $parts._0 (printf "--%s" $.name)) (hasPrefix (printf "--%s" (default $.name $.least)) $parts._0) -}}
{{- if contains "=" $word -}}{{- $found = $parts._1 -}}{{- else -}}{{- $isNext = true -}}{{- end -}}
{{- end -}}
{{- else if and $.letter (hasPrefix (printf "-%s" $.letter) $word) -}}
{{- $found = trimPrefix (printf "-%s" $.letter) $word | trimPrefix "=" -}}
{{- $isNext = not $found -}}
{{- end -}}
{{- end -}}
{{- $found -}}
{{- end }}

{{/* The folder with `mappings` and `__files`. */}}
{{- define "stuntdouble.rootDir" -}}
{{- include "stuntdouble.argument" (dict "args" .Values.args "name" "root-dir" "least" "ro") | default "/home/wiremock" | trimSuffix "/" }}
{{- end }}

{{/* Not empty if there may be more than one replica. */}}
{{- define "stuntdouble.isSeveral" -}}
{{- if gt (int (ternary .Values.autoscaling.maxReplicas .Values.replicaCount .Values.autoscaling.enabled)) 1 }}yes{{ end }}
{{- end }}

{{/* Not empty if `args` or `env` have what `shared` is for. */}}
{{- define "stuntdouble.sharedElsewhere" -}}
{{- range $option := list "shared" "shared-name" -}}
{{- if include "stuntdouble.argument" (dict "args" $.Values.args "name" $option) }}args have --{{ $option }}; {{ end -}}
{{- $variable := printf "STUNTDOUBLE_%s" (upper $option | replace "-" "_") -}}
{{- if kindIs "map" $.Values.env -}}
{{- if hasKey $.Values.env $variable }}env has {{ $variable }}; {{ end -}}
{{- else -}}
{{- range $.Values.env -}}
{{- if eq .name $variable }}env has {{ $variable }}; {{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Not empty for a number or a percentage, also for 0. */}}
{{- define "stuntdouble.amount" -}}
{{- if not (kindIs "invalid" .) }}{{ toString . }}{{ end -}}
{{- end }}

{{/* Not empty if replicas share. */}}
{{- define "stuntdouble.isShared" -}}
{{- if or .Values.shared.url .Values.shared.existingSecret }}yes{{ end }}
{{- end }}

{{- define "stuntdouble.sharedName" -}}
{{- default (printf "%s.%s" .Release.Namespace (include "stuntdouble.fullname" .)) .Values.shared.name }}
{{- end }}

{{/* The address of the daemon within its pod. */}}
{{- define "stuntdouble.healthURL" -}}
{{ lower .Values.scheme }}://127.0.0.1:{{ .Values.service.internalPort }}/__admin/health
{{- end }}
