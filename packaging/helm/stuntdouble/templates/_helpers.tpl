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

{{/* The value of an option among `args`: `--NAME=VALUE`, or `--NAME` and VALUE. */}}
{{- define "stuntdouble.argument" -}}
{{- $found := "" -}}
{{- $isNext := false -}}
{{- range .args -}}
{{- $word := toString . -}}
{{- if $isNext -}}
{{- $found = $word -}}
{{- $isNext = false -}}
{{- else if eq $word (printf "--%s" $.name) -}}
{{- $isNext = true -}}
{{- else if hasPrefix (printf "--%s=" $.name) $word -}}
{{- $found = trimPrefix (printf "--%s=" $.name) $word -}}
{{- end -}}
{{- end -}}
{{- $found -}}
{{- end }}

{{/* The folder with `mappings` and `__files`. */}}
{{- define "stuntdouble.rootDir" -}}
{{- include "stuntdouble.argument" (dict "args" .Values.args "name" "root-dir") | default "/home/wiremock" | trimSuffix "/" }}
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
