{{/* The variables of the container; those of `env` come last, and so win. */}}
{{- define "stuntdouble.env" -}}
- name: STUNTDOUBLE_PORT
  value: {{ .Values.service.internalPort | quote }}
{{- if include "stuntdouble.isShared" . }}
- name: STUNTDOUBLE_SHARED
  valueFrom:
    secretKeyRef:
      {{- if .Values.shared.existingSecret }}
      name: {{ .Values.shared.existingSecret }}
      key: {{ .Values.shared.secretKey }}
      {{- else }}
      name: {{ include "stuntdouble.fullname" . }}-shared
      key: url
      {{- end }}
- name: STUNTDOUBLE_SHARED_NAME
  value: {{ include "stuntdouble.sharedName" . | quote }}
{{- end }}
{{- with .Values.adminToken.existingSecret }}
- name: STUNTDOUBLE_ADMIN_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ . }}
      key: {{ $.Values.adminToken.secretKey }}
{{- end }}
{{- with .Values.adminHosts }}
- name: STUNTDOUBLE_ADMIN_HOST
  value: {{ join "," . | quote }}
{{- end }}
{{- if kindIs "map" .Values.env }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ tpl (toString $value) $ | quote }}
{{- end }}
{{- else }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Readiness wants a 200 of health. Liveness wants any answer at all: a replica that has lost what it shares serves on. */}}
{{- define "stuntdouble.probes" -}}
{{- with .Values.startupProbe -}}
startupProbe:
  {{- toYaml . | nindent 2 }}
{{ end -}}
livenessProbe:
{{- if .Values.livenessProbe }}
  {{- toYaml .Values.livenessProbe | nindent 2 }}
{{- else }}
  exec:
    command: [curl, --silent, --insecure, --noproxy, "*", --max-time, "3", --output, /dev/null, {{ include "stuntdouble.healthURL" . | quote }}]
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}
readinessProbe:
{{- if .Values.readinessProbe }}
  {{- toYaml .Values.readinessProbe | nindent 2 }}
{{- else }}
  {{- if .Values.adminToken.existingSecret }}
  exec:
    command:
      - sh
      - -c
      - >-
        printf 'Authorization: Bearer %s' "$STUNTDOUBLE_ADMIN_TOKEN" |
        curl --silent --insecure --noproxy '*' --fail --max-time 2 --output /dev/null --header @- {{ include "stuntdouble.healthURL" . }}
  {{- else }}
  httpGet:
    path: /__admin/health
    port: http
    scheme: {{ .Values.scheme }}
  {{- end }}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
{{- end }}
{{- end }}

{{- define "stuntdouble.volumeMounts" -}}
# The certificate authority of HTTPS.
- name: state
  mountPath: /var/lib/stuntdouble
  {{- if .Values.authority.existingSecret }}
  readOnly: true
  {{- end }}
{{- if or .Values.mocks .Values.mocksVolume }}
- name: mocks
  mountPath: /mocks
{{- else }}
{{- if .Values.mappings }}
- name: mappings
  mountPath: {{ include "stuntdouble.rootDir" . }}/mappings
{{- end }}
{{- if .Values.responses }}
- name: responses
  mountPath: {{ include "stuntdouble.rootDir" . }}/__files/responses
{{- end }}
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "stuntdouble.volumes" -}}
- name: state
  {{- with .Values.authority }}
  {{- if .existingSecret }}
  secret:
    secretName: {{ .existingSecret }}
    items:
      - { key: {{ .certificateKey | quote }}, path: ca.pem }
      - { key: {{ .privateKeyKey | quote }}, path: ca-key.pem }
  {{- else }}
  emptyDir: {}
  {{- end }}
  {{- end }}
{{- if .Values.mocksVolume }}
- name: mocks
  {{- toYaml .Values.mocksVolume | nindent 2 }}
{{- else if .Values.mocks }}
- name: mocks
  projected:
    sources:
      - configMap:
          name: {{ include "stuntdouble.fullname" . }}-mocks
      {{- if .Values.responses }}
      - configMap:
          name: {{ include "stuntdouble.fullname" . }}-responses
          items:
            {{- range $name, $_ := .Values.responses }}
            - key: {{ $name | quote }}
              path: {{ printf "__files/responses/%s" $name | quote }}
            {{- end }}
      {{- end }}
{{- else }}
{{- if .Values.mappings }}
- name: mappings
  configMap:
    name: {{ include "stuntdouble.fullname" . }}-mappings
{{- end }}
{{- if .Values.responses }}
- name: responses
  configMap:
    name: {{ include "stuntdouble.fullname" . }}-responses
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
